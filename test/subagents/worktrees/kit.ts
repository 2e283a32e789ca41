// What the tests of work trees share: a repository, and an engine whose sub-agents work in it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentEngine, type BaseTool, type EngineOptions, type ToolResult } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools, type WorktreeOptions } from "../../../src/subagents/index.js";
import { tool } from "../../engine/kit.js";
import { temporaryDirectory } from "../../sessions/kit.js";
import { agent, lastOutputs, playing, type Role } from "../kit.js";

export interface Repository {
  readonly root: string;
  readonly trees: string;
  git(...args: string[]): string;
  read(name: string): string;
  /** What is left of work trees. */
  leftovers(): readonly string[];
}

export const BASE = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "sub/c.txt": "c\n" };

export function repository(): Repository {
  const root = temporaryDirectory();
  const trees = join(temporaryDirectory(), "trees");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  mkdirSync(join(root, "sub"));
  for (const [name, content] of Object.entries(BASE)) writeFileSync(join(root, name), content);
  // A repository may configure programs; none of them runs.
  writeFileSync(join(root, ".git", "hooks", "post-checkout"), `#!/bin/sh\ntouch ${root}/.git/RAN\n`, { mode: 0o755 });
  git("add", "-A");
  git("commit", "-qm", "first");
  return {
    root,
    trees,
    git,
    read: (name) => readFileSync(join(root, name), "utf8"),
    leftovers: () => [
      ...(existsSync(trees) ? readdirSync(trees) : []),
      ...git("branch", "--list", "loopwright/*")
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
      ...git("worktree", "list").trim().split("\n").slice(1),
    ],
  };
}

/** A tool that writes a file of one directory. */
const writing = (dir: string): BaseTool =>
  tool(
    "write",
    async ({ name, content }: { name: string; content: string }) => {
      writeFileSync(join(dir, name), content);
      return `wrote ${name}`;
    },
    { claims: () => [] },
  );

export function inRepository(
  repo: Repository,
  roles: Record<string, Role>,
  more: Partial<EngineOptions> = {},
  changes?: WorktreeOptions["changes"],
  toolIn = writing,
  root: WorktreeOptions["root"] = repo.root,
) {
  const agents = Object.keys(roles)
    .filter((name) => name !== "main")
    .map((name) => agent(name, { isolation: "worktree" }));
  const artifacts: string[] = [];
  const engine = new AgentEngine({
    provider: playing(roles),
    permissions: { decide: () => ({ behavior: "allow" }) },
    systemPrompt: "You are main.",
    artifacts: {
      put: async (content: string | Uint8Array) => ({
        id: "x",
        path: `/artifacts/${artifacts.push(Buffer.from(content).toString())}`,
        bytes: 1,
        mediaType: "",
      }),
      get: async () => new Uint8Array(),
    },
    // Git takes seconds on a busy machine.
    limits: { abandonMs: 60_000 },
    ...more,
    tools: [
      toolIn(repo.root),
      ...createSubagentTools({
        subagents: agents,
        worktrees: { root, dir: repo.trees, tools: (dir) => [toolIn(dir)], changes },
      }),
    ],
  });
  const results: Record<string, ToolResult> = {};
  engine.on("tool-call-end", ({ result, agentPath }) => {
    if (agentPath.length === 0) results[result.toolCallId] = result;
  });
  return { engine, results, artifacts };
}

export const give =
  (...names: string[]): Role =>
  (request, step) =>
    step === 0
      ? names.map((name) => toolCall("task", { prompt: "x", subagent_type: name }, { id: name }))
      : text(lastOutputs(request).join("\n"));
export const writes =
  (name: string, content: string): Role =>
  (_request, step) =>
    step === 0 ? toolCall("write", { name, content }) : text(`${name} is done`);
