import { writeFileSync } from "node:fs";
import { renderSession } from "loopwright/observability";
import { sampleSession } from "./sample-session.js";

const s = await sampleSession();
const html = await renderSession(
  { id: s.id, entries: s.entries },
  {
    sessions: s.store,
    artifacts: s.artifacts,
    audit: s.audit(),
    prices: (_m, u) => (u.inputTokens * 3 + u.outputTokens * 15) / 1e6,
    title: "Fix the sum of orders",
  },
);
writeFileSync("/tmp/pg/sample.html", html);
console.log(html.length);
await s.remove();
