// A life of a tool that calls others: `node composed-kill-program.mjs <dir> <waves> <yes> <killAt>`. It kills itself at the killAt-th
// moment: before or after a write to a session, before or after the effect of a tool. Run again, it goes on, with answers to what the
// life before has asked. Prints the result of a life that comes to its end.
//
// <dir>/lines has what was noted, <dir>/asked the questions of the newest life.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PendingRequest } from "../../src/index.js";
import { killingMoment, sessionsWithMoments } from "../sessions/killing-moments.js";
import { answersTo, live } from "./composed-calls.js";

const [dir, waves, yes, killAt] = process.argv.slice(2) as [string, string, string, string];

const moment = killingMoment(Number(killAt));
const sessions = sessionsWithMoments(dir, moment);

const note = (line: string) => appendFileSync(join(dir, "lines"), `${line}\n`);
const asked = join(dir, "asked");
const pending: PendingRequest[] = existsSync(asked) ? JSON.parse(readFileSync(asked, "utf8")) : [];
const answers = answersTo(pending, Number(yes));
for (const [index, answer] of answers.entries())
  if ("decision" in answer && answer.decision === "allow") note(`allow ${pending[index]!.toolCallId}`);

const outside = { moment: async () => moment(), note };
const result = await live(JSON.parse(waves), sessions, outside, answers);
writeFileSync(asked, JSON.stringify(result.pending));
console.log(JSON.stringify({ status: result.status, error: result.error?.message }));
