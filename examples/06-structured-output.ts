// Shows: an answer with a schema. One that does not fit goes back to the model; what fits is typed.
// Run:   npx tsx examples/06-structured-output.ts
// Expect: the invoice as an object, after one retry.
import assert from "node:assert/strict";
import { AgentEngine } from "loopwright";
import { scripted, text } from "loopwright/providers/scripted";
import * as z from "zod";

const Invoice = z.object({
  number: z.string(),
  totalCents: z.number().int(),
  items: z.array(z.object({ name: z.string(), cents: z.number().int() })),
});
type Invoice = z.infer<typeof Invoice>;

const items = [
  { name: "desk", cents: 25_000 },
  { name: "delivery", cents: 1_900 },
];
const provider = scripted([
  text(JSON.stringify({ number: 17, totalCents: 26_900, items })), // The number is not a string.
  text(JSON.stringify({ number: "17", totalCents: 26_900, items })),
]);

const engine = new AgentEngine({ provider, output: Invoice });
const result = await engine.run<Invoice>("Read this invoice: no. 17, a desk for 250.00 and delivery for 19.00.");

if (result.status !== "completed" || !result.output) throw new Error(`The run ended as "${result.status}".`);
const { number, totalCents } = result.output;
console.log(`Invoice ${number}: ${(totalCents / 100).toFixed(2)}`, result.output.items);

assert.deepEqual(result.output, { number: "17", totalCents: 26_900, items });
assert.equal(result.turns, 2);
assert.match(provider.requests[1]?.lastUserText ?? "", /number/, "the model was informed what was wrong");
