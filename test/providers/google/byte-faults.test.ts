import { google } from "../../../src/providers/google/index.js";
import { testByteFaults } from "../byte-faults.js";
import { googleSse } from "./streams.js";

testByteFaults({
  body: googleSse({
    thoughts: "Häm. 🤔",
    signature: "c2ln",
    text: "Grüße 👩‍👧 世界.",
    toolCalls: [
      { name: "read", arguments: { path: "b" } },
      { name: "write", arguments: { path: "ä.ts", content: 'a "b" \\ 😀 }{' } },
    ],
    pieceSize: 26,
  }),
  answer: googleSse({ text: "Ready." }),
  hasResults: (text) => text.includes('"functionResponse"'),
  connect: (baseURL, headers) => google({ model: "gemini-3-pro", apiKey: "k", baseURL, headers }),
});
