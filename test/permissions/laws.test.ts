// Law 4: deny wins, and doubt asks.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue, PermissionMode, PermissionRequest } from "../../src/index.js";
import { createPermissionChecker, type PermissionRules, type SourcedRules } from "../../src/permissions/index.js";
import { processorMs } from "../processor-time.js";
import { runs } from "../runs.js";
import { bash } from "./kit.js";

const numRuns = runs(25, 120, 50_000);
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

const RULES = [
  "Bash",
  "Bash(git push:*)",
  "Bash(git *)",
  "Bash(rm -rf:*)",
  "Bash(npm run test*)",
  "Bash(cat src/a.ts)",
  "Bash(*x*)",
  "Read",
  "Read(.env)",
  "Read(./src/**)",
  "Edit",
  "Edit(src/**)",
  "Write(docs/**)",
  "WebFetch(domain:example.com)",
  "mcp__github",
  "deploy",
  "deploy(prod*)",
  "Task(scout)",
  "Bash(curl *)",
];
const COMMANDS = [
  "git push",
  "git push --force origin main",
  "git status",
  "rm -rf src",
  "rm x",
  "npm run test:unit",
  "cat src/a.ts",
  "cat .env",
  "echo x > src/a.ts",
  "ls && git push",
  "curl https://example.com",
  "$X",
  "echo $(git push)",
  "timeout 5 rm -rf x",
  "cp .env docs/x",
];
const request: fc.Arbitrary<PermissionRequest> = fc.oneof(
  fc.constantFrom(...COMMANDS).map(bash),
  fc.record({
    tool: fc.constantFrom("read_file", "edit_file", "write_file", "grep", "list_dir"),
    input: fc.constantFrom<JsonValue>(
      { path: "src/a.ts" },
      { path: ".env" },
      { path: "docs/x" },
      { path: "/etc/passwd" },
      {},
    ),
  }),
  fc.record({
    tool: fc.constantFrom("deploy", "mcp__github__push", "task", "web_fetch"),
    input: fc.constantFrom<JsonValue>(
      { to: "production" },
      { subagent_type: "scout" },
      { url: "https://example.com" },
      {},
    ),
  }),
);
const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 5 });
const source = fc.constantFrom("policy", "flag", "cliArg", "command", "session", "local", "project", "user" as const);
const sets: fc.Arbitrary<SourcedRules[]> = fc.array(
  fc.record({ source, allow: rules, ask: rules, deny: rules }) as fc.Arbitrary<SourcedRules>,
  { maxLength: 3 },
);
const mode = fc.constantFrom<PermissionMode>("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions");
const hook = fc.constantFrom(undefined, { behavior: "allow" as const }, { behavior: "ask" as const });

async function behaviorOf(sources: readonly SourcedRules[], about: PermissionRequest) {
  return (await createPermissionChecker({ sources }).decide(about)).behavior;
}

test("no mode, hook, classifier, or order of rules turns a deny into anything else", async () => {
  await fc.assert(
    fc.asyncProperty(sets, request, mode, hook, async (sources, about, otherMode, otherHook) => {
      fc.pre((await behaviorOf(sources, about)) === "deny");
      const reversed = [...sources]
        .reverse()
        .map((set) => ({ ...set, allow: [...(set.allow ?? [])].reverse(), deny: [...(set.deny ?? [])].reverse() }));
      const checker = createPermissionChecker({ sources: reversed, classifier: () => ({ behavior: "allow" }) });
      const decision = await checker.decide({ ...about, mode: otherMode, hook: otherHook });
      // What only the sandbox refuses is left to it under bypassPermissions.
      const isSandbox = decision.behavior !== "deny" && otherMode === "bypassPermissions" && about.input !== null;
      if (!isSandbox || !JSON.stringify(about.input).includes("/etc/passwd")) expect(decision.behavior).toBe("deny");
    }),
    { numRuns },
  );
});

test("adding a deny or ask rule never widens what may run", async () => {
  await fc.assert(
    fc.asyncProperty(
      sets,
      request,
      mode,
      fc.constantFrom(...RULES),
      fc.constantFrom("deny", "ask"),
      async (sources, about, inMode, rule, list) => {
        const before = await behaviorOf(sources, { ...about, mode: inMode });
        const added: SourcedRules = { source: "user", [list]: [rule] };
        const after = await behaviorOf([...sources, added], { ...about, mode: inMode });
        expect(STRICTNESS[after]).toBeGreaterThanOrEqual(STRICTNESS[before]);
      },
    ),
    { numRuns },
  );
});

test("taking an allow rule away never widens what may run", async () => {
  await fc.assert(
    fc.asyncProperty(sets, request, mode, async (sources, about, inMode) => {
      const fewer = sources.map((set) => ({ ...set, allow: set.allow?.slice(1) }));
      const before = await behaviorOf(sources, { ...about, mode: inMode });
      const after = await behaviorOf(fewer, { ...about, mode: inMode });
      expect(STRICTNESS[after]).toBeGreaterThanOrEqual(STRICTNESS[before]);
    }),
    { numRuns },
  );
});

type Disguise = (command: string) => string;
/** Ways to write a command that bash runs all the same: first the words, then what starts it, then what stands around it. */
const SPELLINGS: readonly Disguise[] = [
  (command) => command,
  (command) => `  ${command}  `,
  (command) => command.replace(/ /g, "   "),
  (command) => command.replace(/^(\S)(\S+)/, '$1"$2"'),
  (command) => command.replace(/^(\S+)/, "'$1'"),
  (command) => `\\${command}`,
  (command) => command.replace(/^(\S)(\S)/, "$1''$2"),
  (command) => command.replace(/^(\S)(\S)/, "$1\\$2"),
  (command) => command.replace(/^(\S+)/, "$$'$1'"),
  (command) => `/usr/bin/${command}`,
  (command) => command.replace(/ /, " \\\n "),
  (command) => `${command} > /dev/null 2>&1`,
];
const STARTERS: readonly Disguise[] = [
  (command) => command,
  (command) => `timeout 5 ${command}`,
  (command) => `timeout -s KILL 5 ${command}`,
  (command) => `nice -n 3 ${command}`,
  (command) => `env A=1 ${command}`,
  (command) => `env -i -u B ${command}`,
  (command) => `sudo ${command}`,
  (command) => `sudo -u root -E ${command}`,
  (command) => `command ${command}`,
  (command) => `exec ${command}`,
  (command) => `nohup ${command} &`,
  (command) => `stdbuf -oL ${command}`,
  (command) => `A=1 B="x y" ${command}`,
  (command) => `time ${command}`,
];
const SURROUNDINGS: readonly Disguise[] = [
  (command) => command,
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `echo $( ${command}\n)`,
  (command) => `echo "$( ${command}\n)"`,
  (command) => `ls && ${command}`,
  (command) => `false || ${command}`,
  (command) => `ls | ${command}`,
  (command) => `bash -c '${command.replace(/'/g, `'\\''`)}'`,
  (command) => `sh -c '${command.replace(/'/g, `'\\''`)}'`,
  (command) => `eval '${command.replace(/'/g, `'\\''`)}'`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for i in 1 2; do ${command}\ndone`,
  (command) => `while ${command}\ndo break; done`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `! ${command}`,
  (command) => `# a comment\n${command}`,
  (command) => `cat <( ${command}\n)`,
  (command) => `bash <<'X'\n${command}\nX`,
];
const DENIED: readonly (readonly [string, string])[] = [
  ["Bash(git push:*)", "git push origin main"],
  ["Bash(rm -rf:*)", "rm -rf x"],
  ["Bash(npm publish)", "npm publish"],
  ["Bash(curl *)", "curl example.com"],
  ["Bash(docker * prune)", "docker system prune"],
  ["Bash(terraform)", "terraform"],
  ["Read(.env)", "cat .env"],
  ["Edit(docs/**)", "tee docs/x"],
];

test("no disguise un-denies a command, whatever else is allowed", async () => {
  const surroundings = fc.array(fc.constantFrom(...SURROUNDINGS), { maxLength: 2 });
  const [spelling, starter] = [fc.constantFrom(...SPELLINGS), fc.constantFrom(...STARTERS)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...DENIED),
      spelling,
      starter,
      surroundings,
      mode,
      async (denied, spell, start, around, inMode) => {
        const [rule, command] = denied;
        const script = around.reduce((line, wear) => wear(line), start(spell(command)));
        const rules: PermissionRules = { allow: ["Bash", "Edit", "Read"], deny: [rule] };
        const { behavior } = await createPermissionChecker({ rules }).decide({ ...bash(script), mode: inMode });
        expect({ script, behavior }).not.toEqual({ script, behavior: "allow" });
        // Where a function stands when it is called is not known, so its paths may be asked about instead.
        if (rule.startsWith("Bash")) expect({ script, behavior }).toEqual({ script, behavior: "deny" });
      },
    ),
    { numRuns: numRuns * 5 },
  );
});

test("no input makes a decision slow, and while rules deny, none of them runs where nobody can be asked", async () => {
  const rules = { allow: ["Bash"], deny: ["Bash(git push:*)", "Read(.env)"] };
  const checker = createPermissionChecker({ rules, mode: "dontAsk" });
  const unlimited = createPermissionChecker({ rules, mode: "bypassPermissions" });
  const huge = [
    `${"echo x; ".repeat(10_000)}git push`,
    `${"(".repeat(2_000)}git push${")".repeat(2_000)}`,
    `echo ${"a".repeat(1_000_000)}; git push`,
    `${"$(".repeat(500)}git push${")".repeat(500)}`,
    `echo '${"x".repeat(100_000)}' | git push`,
    `${"cat .env; ".repeat(3_000)}`,
    `git push ${"-x ".repeat(30_000)}`,
  ];
  for (const script of huge) {
    const startedAt = processorMs();
    const { behavior } = await checker.decide(bash(script));
    expect({ script: script.slice(0, 20), behavior }).toMatchObject({ behavior: "deny" });
    expect(processorMs() - startedAt).toBeLessThan(5_000);
    expect((await unlimited.decide(bash(script))).behavior).toMatch(/^(?:ask|deny)$/);
  }
});
