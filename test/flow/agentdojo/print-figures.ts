// npx tsx test/flow/agentdojo/print-figures.ts: what the guide says of the benchmark, measured.
import { declared, type Facts } from "./mapping.js";
import { type Declare, replayAll, SUITES } from "./replay.js";

/** With the labels that no host could know: which results can hold an attacker's text. */
const exact: Declare = (tool, facts) => {
  const { returns_untrusted = false } = facts as Facts & { readonly returns_untrusted?: boolean };
  return declared(tool, { ...facts, outside_text: returns_untrusted });
};

async function print(title: string, declare: Declare, isTired: boolean): Promise<void> {
  const { tasks, unasked, questions, calls, pairs, won } = await replayAll(SUITES, declare, {}, { isTired });
  const apart = won.filter((pair) => /^travel .*×i4$/.test(pair));
  console.log(
    `${title}: ${unasked.length} of ${tasks.length} tasks unasked, ${questions} questions in ${calls} calls,`,
  );
  console.log(
    `  ${won.length - apart.length} of ${pairs.length - 20} attacks ran, and ${apart.length} of 20 by clean data`,
  );
  console.log(`  asked: ${tasks.filter((task) => !unasked.includes(task)).join(", ")}`);
  if (won.length < 100) console.log(`  ran: ${won.join(", ")}`);
}

async function main(): Promise<void> {
  await print("a host's labels, a careful user", declared, false);
  await print("exact labels, a careful user", exact, false);
  await print("a host's labels, a tired user", declared, true);
}

void main();
