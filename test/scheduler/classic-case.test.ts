import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { createScheduler } from "../../src/scheduler/index.js";
import { defineSkill, loadSkills } from "../../src/skills/index.js";
import { followed, lifeOf, onDisk, statesOf } from "./kit.js";

const CONTENT = "Hello from a plan.\n";

const PLAN = {
  tasks: [
    {
      id: "check",
      title: "See what is there",
      instructions: "Look at the directory.",
      tool: { name: "list_dir", input: { path: "." } },
      dependsOn: [],
      criterion: { kind: "predicate", name: "nothing-there" },
    },
    {
      id: "directory",
      title: "Make the directory",
      instructions: "Make output.",
      tool: { name: "create_dir", input: { path: "output" } },
      dependsOn: ["check"],
      criterion: { kind: "file", path: "output" },
    },
    {
      id: "write",
      title: "Write the file",
      instructions: "Write output/hello.txt.",
      tool: { name: "write_file", input: { path: "output/hello.txt", content: CONTENT } },
      dependsOn: ["directory"],
      criterion: { kind: "file", path: "output/hello.txt", equals: CONTENT },
    },
    {
      id: "read",
      title: "Read it back",
      instructions: "Read output/hello.txt.",
      tool: { name: "read_file", input: { path: "output/hello.txt" } },
      dependsOn: ["write"],
      criterion: { kind: "command", command: "grep -q plan output/hello.txt" },
    },
  ],
};

test("a file is made by a plan: skill, four tasks through the gate, each verified, and a report with files and facts", async () => {
  const provider = scripted([text(JSON.stringify(PLAN))]);
  const { engine, workspace, root } = await onDisk({ provider });
  const decisions: string[] = [];
  engine.on("permission-decision", ({ tool, decision }) => decisions.push(`${tool}: ${decision.behavior}`));
  const skill = defineSkill({
    name: "file-creation",
    description: "Creates a file with a given content in a directory.",
    instructions: "Look first, make the directory, write, read back.",
    guardrails: ["Never replace a file that is there."],
  });
  const scheduler = createScheduler({
    engine,
    workspace,
    skills: await loadSkills({ dirs: [], skills: [skill] } as never),
    predicates: { "nothing-there": ({ output }) => !output.includes("output") },
  });

  const { events, report } = await followed(scheduler.run("create output/hello.txt with this content"));

  expect(statesOf(events)).toEqual(["loading-skill", "decomposing", "dispatching", "verifying", "merging", "done"]);
  expect(lifeOf("write", events)).toEqual(["running", "verifying", "done"]);
  expect(readFileSync(join(root, "output/hello.txt"), "utf8")).toBe(CONTENT);
  expect(report).toMatchObject({
    status: "done",
    skill: "file-creation",
    files: ["output", "output/hello.txt"],
    summary: expect.stringContaining("Hello from a plan."),
  });
  expect(report.tasks.map(({ status, attempts }) => [status, attempts])).toEqual(Array(4).fill(["done", 1]));
  expect(report.facts).toEqual([
    "output is a directory.",
    'output/hello.txt is exactly "Hello from a plan.\\n".',
    "`grep -q plan output/hello.txt` ended with exit code 0.",
  ]);
  expect(new Set(decisions)).toEqual(
    new Set(["list_dir: allow", "create_dir: allow", "write_file: allow", "read_file: allow", "bash: allow"]),
  );
  const [request] = provider.requests;
  expect(JSON.stringify(request?.messages)).toContain("Never replace a file that is there.");
  provider.assertExhausted();
});
