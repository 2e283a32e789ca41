// The name of a session, as the user's hooks read it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionNames } from "../../../src/program/sessions/session-names.js";
import { directoryWith, modelServer, runHere } from "../kit.js";

test("a hook reads the session's name as session_title, and none before it has one", async () => {
  const { url } = await modelServer({ text: "One." }, { text: "Two." }, { text: "Three." });
  const heard = directoryWith();
  const command = `cat >> ${join(heard, "starts")}`;
  const settings = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } });
  const home = directoryWith({ ".claude/settings.json": settings });
  const where = { cwd: directoryWith(), home, env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" } };
  const say = (...args: string[]) => runHere(["-p", "--model", "openai/gpt-5.1", ...args], where);

  await say("look");
  const state = join(home, ".loopwright/projects", readdirSync(join(home, ".loopwright/projects"))[0]!);
  const [file] = readdirSync(join(state, "sessions")).filter((name) => name.endsWith(".jsonl"));
  const names = sessionNames(join(state, "names.jsonl"));
  await names.rename(file!.replace(".jsonl", ""), "the sum");
  await say("--resume", "the sum", "go on");
  await names.rename(file!.replace(".jsonl", ""), "");
  await say("--continue", "and on");

  const starts = readFileSync(join(heard, "starts"), "utf8").trim().split("\n");
  expect(starts.map((line) => JSON.parse(line).session_title)).toEqual([undefined, "the sum", undefined]);
});
