// What rules about files say of the file tools, in both dialects: the rules, the tool, its path, the answer.
import type { PermissionRules } from "../../../src/permissions/index.js";

export type FileCase = readonly [rules: PermissionRules, tool: string, path: string, answer: "allow" | "ask" | "deny"];

const READS = ["read_file", "Read", "grep", "Grep"] as const;
const WRITES = ["write_file", "Write", "edit_file", "Edit", "MultiEdit"] as const;

const denyEnv: PermissionRules = { allow: ["Read", "Edit", "Write"], deny: ["Read(.env)", "Edit(.env)"] };
const denySecrets: PermissionRules = { allow: ["Read", "Edit"], deny: ["Read(./secrets/**)", "Edit(./secrets/**)"] };
const allowSources: PermissionRules = { allow: ["Edit(src/**)"] };

const ENV = [".env", "./.env", "src/../.env", ".ENV", ".//.env", "src/../src/../.env"];
const SECRETS = [
  "secrets/key.txt",
  "./secrets/key.txt",
  "src/innocent.txt",
  "SECRETS/key.txt",
  "lib/../secrets/key.txt",
];

export const FILE_CASES: readonly FileCase[] = [
  ...[...READS, ...WRITES].flatMap((tool) => ENV.map((path): FileCase => [denyEnv, tool, path, "deny"])),
  ...[...READS, ...WRITES].flatMap((tool) => SECRETS.map((path): FileCase => [denySecrets, tool, path, "deny"])),
  ...WRITES.flatMap((tool): FileCase[] => [
    [allowSources, tool, "src/a.ts", "allow"],
    [allowSources, tool, "src/deep/new.ts", "allow"],
    [allowSources, tool, "docs/x.md", "ask"],
    [allowSources, tool, "src/../docs/x.md", "ask"],
    [allowSources, tool, "lib/a.ts", "allow"],
    [allowSources, tool, "src/innocent.txt", "ask"],
    [allowSources, tool, "out/x", "deny"],
    [allowSources, tool, "../x", "deny"],
    [allowSources, tool, "/etc/passwd", "deny"],
    [{ allow: ["Edit"] }, tool, ".git/hooks/pre-commit", "deny"],
    [{ allow: ["Edit"] }, tool, ".GIT/config", "deny"],
    [{ allow: ["Edit"] }, tool, ".env", "ask"],
    [{ allow: ["Edit"] }, tool, ".github/workflows/ci.yml", "ask"],
    [{ allow: ["Edit(.github/workflows/ci.yml)"] }, tool, ".github/workflows/ci.yml", "allow"],
    [{}, tool, "src/a.ts", "ask"],
  ]),
  ...READS.flatMap((tool): FileCase[] => [
    [{}, tool, "src/a.ts", "allow"],
    [{}, tool, ".env", "ask"],
    [{ allow: ["Read"] }, tool, ".env", "ask"],
    [{ allow: ["Read(.env)"] }, tool, ".env", "allow"],
    [{}, tool, "../outside/x", "deny"],
    [{}, tool, "out/x", "deny"],
    [{}, tool, "/etc/passwd", "deny"],
    [{ ask: ["Read(docs/**)"] }, tool, "docs/x.md", "ask"],
  ]),
];
