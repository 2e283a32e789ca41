import { describe } from "vitest";
import { aiSdk } from "../../../src/providers/ai-sdk/index.js";
import { chatChunks, sse } from "../../../src/testing/fault-server/index.js";
import { VERSIONS } from "../../providers/ai-sdk/streams.js";
import { testByteFaults } from "../../providers/byte-faults.js";
import { runs } from "../../runs.js";
import { REAL_MODELS } from "./real-models.js";

const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

for (const version of VERSIONS) {
  describe(`with a real provider of ${version}`, () => {
    testByteFaults({
      body: sse(
        chatChunks({
          text: "Grüße 👩‍👧 世界.",
          toolCalls: [
            { name: "read", arguments: { path: "b" } },
            { name: "write", arguments: { path: "ä.ts", content: 'a "b" \\ 😀 }{' } },
          ],
          usage,
          pieceSize: 26,
        }),
      ),
      answer: sse(chatChunks({ text: "Ready.", usage })),
      hasResults: (text) => text.includes('"role":"tool"'),
      stride: runs(83, 29, 29),
      connect: (baseURL, headers) => aiSdk(REAL_MODELS[version](baseURL, headers)),
    });
  });
}
