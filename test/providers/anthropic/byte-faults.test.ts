import { anthropic } from "../../../src/providers/anthropic/index.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { testByteFaults } from "../byte-faults.js";

testByteFaults({
  body: namedSse(
    anthropicEvents({
      thinking: "Häm. 🤔",
      signature: "c2ln",
      text: "Grüße 👩‍👧 世界.",
      toolCalls: [
        { name: "read", arguments: { path: "b" } },
        { name: "write", arguments: { path: "ä.ts", content: 'a "b" \\ 😀 }{' } },
      ],
      pieceSize: 26,
    }),
  ),
  answer: namedSse(anthropicEvents({ text: "Ready." })),
  hasResults: (text) => text.includes('"type":"tool_result"'),
  connect: (baseURL, headers) => anthropic({ model: "claude-opus-5", apiKey: "k", baseURL, headers }),
});
