import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { projectStateOf } from "../../../src/program/project/project-state.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { scripted, text } from "../../../src/testing/index.js";
import { checked } from "../../sessions/atif-schema.js";
import { bundleProgram, directoryWith, runHere } from "../kit.js";

/** A project with one session of one answer. */
async function projectWithSession(prompt = "What is the answer?") {
  const [cwd, home] = [directoryWith(), directoryWith()];
  const env = { LOOPWRIGHT_HOME: join(home, "state") };
  const sessions = createFileSessionStore({ dir: projectStateOf(cwd, env).sessions, durability: "process" });
  const engine = new AgentEngine({ provider: scripted([text("Forty-two.")]), sessions });
  await engine.run(prompt, { sessionId: "abc" });
  await engine.close();
  return { cwd, home, env };
}

test("a session is written as a page", async () => {
  const place = await projectWithSession();

  const { code, stdout } = await runHere(["inspect", "ab", "--out", "page.html"], place);

  expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(place.cwd, "page.html")}\n` });
  const page = readFileSync(join(place.cwd, "page.html"), "utf8");
  expect(page).toContain("Forty-two.");
  expect(page).toContain("<title>What is the answer?");
});

test("a session is written as Markdown and as a trajectory, by the ending of the file", async () => {
  const place = await projectWithSession();
  const written = async (out: string) => {
    const { code, stdout } = await runHere(["inspect", "--out", out], place);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(place.cwd, out)}\n` });
    return readFileSync(join(place.cwd, out), "utf8");
  };

  expect(await written("a.md")).toContain("## Prompt\n\nWhat is the answer?");
  const { steps } = checked(await written("a.atif.json"));
  expect(steps.map(({ message }) => message)).toEqual(["What is the answer?", "Forty-two."]);
});

test("nothing in a session's Markdown or in the list of sessions controls or reorders what a person reads", async () => {
  const place = await projectWithSession("hi \x1b]0;PWNED\x07\x1b[2J\r\n\u202etxt");

  await runHere(["inspect", "--out", "a.md"], place);
  const { stdout } = await runHere(["sessions"], place);

  const written = readFileSync(join(place.cwd, "a.md"), "utf8");
  expect(written).toContain("hi \\x1b]0;PWNED\\x07\\x1b[2J\n\\u202etxt");
  expect(stdout).toMatch(/ hi \n$/);
  const other = await projectWithSession("hi \u202etxt");
  expect((await runHere(["sessions"], other)).stdout).toMatch(/ hi \\u202etxt\n$/);
});

test("a session is served to this machine until Ctrl+C", async () => {
  const { cwd, env } = await projectWithSession();
  const program = await bundleProgram();
  onTestFinished(() => program.remove());
  const child = spawn(process.execPath, [program.file, "inspect", "--serve"], { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const address = await new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").once("data", (line: string) => resolve(line.split("\n")[0]!));
  });

  const page = await fetch(address);
  const asked = await fetch(address, { method: "POST" });

  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect([page.status, asked.status]).toEqual([200, 405]);
  expect(await page.text()).toContain("Forty-two.");
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});
