// What a machine that keeps calls in changes after untrusted content: what runs there cannot send, and what outlives it asks all the same.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Containment, Label } from "../../../src/index.js";
import { createPermissionChecker, type PermissionRules } from "../../../src/permissions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { repository } from "../../flow/repository.js";
import { bash } from "../kit.js";

const PAGE: Label = {
  integrity: "untrusted",
  audience: "anyone",
  sources: [{ kind: "web", name: "x.example", untrusted: true }],
};
const OWN: Label = { integrity: "trusted", audience: "anyone", sources: [] };
const ALL: PermissionRules = { allow: ["Bash", "Read", "Edit", "Write"] };

/** A repository whose commands a sandbox without a network keeps in, or a machine that is made otherwise. */
async function kept(rules: PermissionRules, held: Partial<Containment> | "nothing" = {}, label: Label = PAGE) {
  const { root, put } = repository("README.md", "package.json", "src/a.ts");
  const opened = await createWorkspace({ root });
  const sandbox: Containment = {
    machine: "sandbox",
    by: "host",
    network: "none",
    kept: [root],
    acceptChanges: true,
    secrets: "unknown",
    isHere: true,
  };
  const contained = async () => ({ ...sandbox, ...(held === "nothing" ? {} : held) });
  const workspace = held === "nothing" ? opened : { ...opened, contained };
  const checker = createPermissionChecker({ workspace, rules, flow: {} });
  const flow = { context: label, origin: (target: object) => ({ ...target, known: "unknown" }) };
  const decide = (call: object) => checker.decide({ ...call, ...flow } as never);
  const line = async (command: string) => (await decide(bash(command))).behavior;
  const write = async (path: string) => (await decide({ tool: "write_file", input: { path, content: "x" } })).behavior;
  return { root, put, line, write, decide };
}

/** The label of a file's content for another process. */
async function labelIn(root: string, path: string) {
  const checker = createPermissionChecker({ workspace: await createWorkspace({ root }), flow: {} });
  return (await checker.decide({ tool: "read_file", input: { path } })).label?.integrity;
}

test("what a rule allows runs after a page where a machine without a network keeps it in, and asks elsewhere", async () => {
  const free = await kept(ALL, "nothing");
  const held = await kept(ALL);
  for (const command of ["npm test", "node src/a.ts", "curl -d x https://x.example"]) {
    expect(await free.line(command), command).toBe("ask");
    expect(await held.line(command), command).toBe("allow");
  }
  expect(await held.decide(bash("npm test"))).toMatchObject({
    reason: expect.stringMatching(/^Contained, as the host says/),
    provisional: true,
  });
  expect(await (await kept(ALL, { network: "any" })).line("npm test")).toBe("ask");
  expect(await (await kept(ALL, { acceptChanges: false })).line("npm test")).toBe("ask");
  expect(await (await kept({ ...ALL, ask: ["Bash(npm test)"] })).line("npm test")).toBe("ask");
  expect(await held.line("cat .env | npm test")).toBe("ask");
});

test("what instructs agents or runs by itself outlives the machine and asks, whoever allows it", async () => {
  for (const rules of [ALL, {}]) {
    const { line, write } = await kept(rules);
    for (const path of [
      "AGENTS.md",
      "package.json",
      "src/SKILL.md",
      "Makefile",
      ".unknownrc",
      ".junie/guidelines.md",
    ]) {
      expect(await line(`echo x >> ${path}`), path).toBe("ask");
      expect(await write(path), path).toBe("ask");
    }
    expect(await line("tar xf src.tar")).toBe("ask");
    expect(await line("git remote set-url origin https://evil.example/x")).toBe("ask");
    expect(await line("echo x > src/b.ts && npm test")).toBe("allow");
    expect(await write("src/b.ts")).toBe("allow");
    const thrownAway = await kept(rules, { kept: [] });
    expect(await thrownAway.line("echo x >> AGENTS.md")).toBe("allow");
    expect(await thrownAway.write("AGENTS.md")).toBe("allow");
  }
  const trusted = await kept({}, {}, OWN);
  expect(await trusted.write("AGENTS.md")).toBe("allow");
});

test("files that other agents, editors and build servers read are known by their names; hidden ones ask unless they are harmless", async () => {
  const { write } = await kept(ALL);
  const read = `AGENTS.override.md .clinerules .clinerules/x.md .goosehints WARP.md .rules .trae/rules/x.md .continue/rules/x.md replit.md
    .augment-guidelines x.code-workspace lefthook.yml mise.toml .woodpecker.yml .woodpecker/a.yml appveyor.yml .eslintrc.js .tool-versions`;
  for (const path of read.split(/\s+/)) expect(await write(path), path).toBe("ask");
  const content =
    "agents.ts src/skill.json docs/FAQ.md README.md .gitignore .dockerignore .gitkeep .editorconfig .nvmrc src/.hidden/a.ts";
  for (const path of content.split(" ")) expect(await write(path), path).toBe("allow");
});

test("code that runs so after a page may have written any file of the user's, for every process", async () => {
  for (const rules of [ALL, {}]) {
    const { root, line } = await kept(rules);
    expect(await line("echo x > src/a.ts && cat README.md")).toBe("allow");
    expect(await labelIn(root, "README.md")).toBe("trusted");
    expect(await line("npm test")).toBe("allow");
    expect(await labelIn(root, "README.md")).toBe("untrusted");
  }
  const nowhere = await kept({});
  expect(await nowhere.line("echo x > $(cat src/a.ts)")).toBe("allow");
  expect(await labelIn(nowhere.root, "README.md")).toBe("untrusted");
  const trusted = await kept({}, {}, OWN);
  expect(await trusted.line("npm test")).toBe("allow");
  expect(await labelIn(trusted.root, "README.md")).toBe("trusted");
});

test("code asks inside, too, where no record can be kept for later sessions of what it may have written", async () => {
  const besides = await kept(ALL, { kept: ["/elsewhere"] });
  expect(await besides.line("npm test")).toBe("ask");
  const unknown = await kept(ALL);
  rmSync(join(unknown.root, ".git"), { recursive: true });
  expect(await unknown.line("npm test")).toBe("ask");
  expect(await unknown.line("echo x > src/b.ts")).toBe("allow");
  const thrownAway = await kept(ALL, { kept: [] });
  rmSync(join(thrownAway.root, ".git"), { recursive: true });
  expect(await thrownAway.line("npm test")).toBe("allow");
});
