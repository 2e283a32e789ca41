// Settings files in the style of public repositories, each with what is to come of it when its project is trusted.

export interface CorpusFile {
  readonly about: string;
  /** A string is the file as it is written. */
  readonly file: object | string;
  /** How many rules count. */
  readonly allow?: number;
  readonly deny?: number;
  /** Asked rules, those too that stand in for a deny rule that is not understood. */
  readonly ask?: readonly string[];
  /** Hooks by event. */
  readonly hooks?: Readonly<Record<string, number>>;
  readonly mode?: string;
  /** Keys of what is wrong. */
  readonly problems?: readonly string[];
  /** Keys of what is valid elsewhere. */
  readonly unsupported?: readonly string[];
  /** The file is refused when it is trusted. */
  readonly isRefused?: true;
}

const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });
const group = (hooks: readonly object[], matcher?: string) => ({ ...(matcher !== undefined && { matcher }), hooks });
const on = (event: string, line: string, matcher?: string) => ({
  hooks: { [event]: [group([command(line)], matcher)] },
});
const rules = (permissions: object) => ({ permissions });

export const CORPUS: readonly CorpusFile[] = [
  { about: "nothing at all", file: {} },
  { about: "an empty file", file: "" },
  { about: "a schema and nothing else", file: { $schema: "https://json.schemastore.org/claude-code-settings.json" } },
  {
    about: "a web app's package scripts",
    file: rules({ allow: ["Bash(npm run lint)", "Bash(npm run test:*)", "Bash(npm run build)"] }),
    allow: 3,
  },
  {
    about: "pnpm with arguments",
    file: rules({ allow: ["Bash(pnpm install)", "Bash(pnpm --filter * test)", "Bash(pnpm exec tsc:*)"] }),
    allow: 3,
  },
  {
    about: "git for reading, and its writes asked",
    file: rules({
      allow: ["Bash(git status)", "Bash(git diff:*)", "Bash(git log:*)"],
      ask: ["Bash(git push:*)", "Bash(git commit:*)"],
    }),
    allow: 3,
    ask: ["Bash(git push:*)", "Bash(git commit:*)"],
  },
  {
    about: "secrets kept from reading",
    file: rules({ deny: ["Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)", "Read(~/.aws/**)"] }),
    deny: 4,
  },
  { about: "a network that is closed", file: rules({ deny: ["Bash(curl:*)", "Bash(wget:*)", "WebFetch"] }), deny: 3 },
  {
    about: "domains",
    file: rules({ allow: ["WebFetch(domain:docs.python.org)", "WebFetch(domain:*.github.com)", "WebSearch"] }),
    allow: 3,
  },
  {
    about: "MCP servers, whole and by tool",
    file: rules({ allow: ["mcp__github", "mcp__github__get_issue", "mcp__linear__*"] }),
    allow: 3,
  },
  {
    about: "every tool of every server",
    file: rules({ allow: ["mcp__*"] }),
    allow: 0,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "a star for everything",
    file: rules({ allow: ["*"], deny: ["Bash(rm -rf:*)"] }),
    allow: 0,
    deny: 1,
    problems: ["permissions.allow[0]"],
  },
  { about: "edits of sources", file: rules({ allow: ["Edit(src/**)", "Write(docs/**)", "Edit(//tmp/**)"] }), allow: 3 },
  { about: "a notebook tool", file: rules({ allow: ["NotebookEdit", "NotebookRead"] }), allow: 2 },
  {
    about: "sub-agents and skills by name",
    file: rules({ allow: ["Agent(Explore)", "Skill(review *)", "Task(planner)"], deny: ["Agent(deploy)"] }),
    allow: 3,
    deny: 1,
  },
  {
    about: "a sub-agent by its model",
    file: rules({ deny: ["Agent(model:opus)"] }),
    deny: 0,
    ask: ["Agent"],
    problems: ["permissions.deny[0]"],
  },
  {
    about: "a command by its parameter",
    file: rules({ deny: ["Bash(run_in_background:true)", "Bash(sudo:*)"] }),
    deny: 1,
    ask: ["Bash"],
    problems: ["permissions.deny[0]"],
  },
  {
    about: "an allow by a parameter",
    file: rules({ allow: ["Bash(timeout:600000)", "Bash(ls:*)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "a command named like a parameter",
    file: rules({ allow: ["Bash(timeout:*)"], deny: ["Bash(type:*)"] }),
    allow: 1,
    deny: 1,
  },
  {
    about: "an allow whose parenthesis is open",
    file: rules({ allow: ["Bash(npm run lint", "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "an allow that is empty",
    file: rules({ allow: ["", "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "an allow with empty parentheses",
    file: rules({ allow: ["Bash()", "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "an allow that is an object",
    file: rules({ allow: [{ tool: "Bash" }, "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "an allow over two lines, pasted from a shell",
    file: rules({ allow: ["Bash(for f in *; do\n echo $f; done)", "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  {
    about: "an allow recorded with its whole script",
    file: rules({ allow: ["Bash(find . -name '*.ts' -exec grep -l foo {} \\;)", "Bash(awk '{print $1}' a.txt)"] }),
    allow: 2,
  },
  {
    about: "an allow that is a sentence",
    file: rules({ allow: ["run the tests", "Bash(ls)"] }),
    allow: 1,
    problems: ["permissions.allow[0]"],
  },
  { about: "a deny whose parenthesis is open", file: rules({ deny: ["Bash(rm -rf", "Read(.env)"] }), isRefused: true },
  { about: "a deny that is a number", file: rules({ deny: [42] }), isRefused: true },
  {
    about: "an ask whose parenthesis is open",
    file: rules({ ask: ["Bash(git push"], deny: ["WebFetch"] }),
    deny: 1,
    ask: ["Bash"],
    problems: ["permissions.ask[0]"],
  },
  {
    about: "a deny list without brackets",
    file: rules({ deny: "Bash(rm *)" }),
    deny: 1,
    problems: ["permissions.deny"],
  },
  {
    about: "an allow list without brackets",
    file: rules({ allow: "Bash(ls)" }),
    allow: 1,
    problems: ["permissions.allow"],
  },
  {
    about: "an allow list that is an object",
    file: rules({ allow: { Bash: true }, deny: ["WebFetch"] }),
    allow: 0,
    deny: 1,
    problems: ["permissions.allow"],
  },
  { about: "lists that are null", file: rules({ allow: null, deny: null, ask: null }) },
  { about: "the mode for edits", file: rules({ defaultMode: "acceptEdits" }), mode: "acceptEdits" },
  { about: "a mode by its other name", file: rules({ defaultMode: "manual" }), mode: "default" },
  {
    about: "a mode of another agent",
    file: rules({ defaultMode: "yolo", deny: ["WebFetch"] }),
    deny: 1,
    problems: ["permissions.defaultMode"],
  },
  { about: "the automatic mode", file: rules({ defaultMode: "auto" }), unsupported: ["permissions.defaultMode"] },
  {
    about: "no bypass",
    file: rules({ disableBypassPermissionsMode: "disable", disableAutoMode: "disable" }),
  },
  { about: "more directories", file: rules({ additionalDirectories: ["../shared", "~/notes", "/opt/data"] }) },
  {
    about: "a directory that is a number",
    file: rules({ additionalDirectories: [1, "../shared"] }),
    problems: ["permissions.additionalDirectories[0]"],
  },
  { about: "permissions that are a list", file: rules(["Bash(ls)"]), problems: ["permissions"] },
  {
    about: "switches of the program alone",
    file: {
      model: "opus",
      includeCoAuthoredBy: false,
      cleanupPeriodDays: 20,
      outputStyle: "Explanatory",
      statusLine: { type: "command", command: "x" },
    },
  },
  {
    about: "plugins and marketplaces",
    file: {
      enabledPlugins: { "a@b": true },
      extraKnownMarketplaces: { b: { source: { source: "github", repo: "c/d" } } },
    },
  },
  { about: "MCP approvals", file: { enableAllProjectMcpServers: true, enabledMcpjsonServers: ["github"] } },
  { about: "variables", file: { env: { NODE_ENV: "test", CI: "true" } } },
  { about: "a variable that is a number", file: { env: { TIMEOUT: 5, CI: "true" } }, problems: ["env.TIMEOUT"] },
  { about: "variables that are a list", file: { env: ["CI=true"] }, problems: ["env"] },
  {
    about: "a formatter after edits",
    file: on("PostToolUse", "npx prettier --write", "Edit|Write|MultiEdit"),
    hooks: { PostToolUse: 1 },
  },
  {
    about: "a linter on the file that was edited",
    file: on("PostToolUse", 'jq -r ".tool_input.file_path" | xargs npx eslint --fix', "Write|Edit"),
    hooks: { PostToolUse: 1 },
  },
  {
    about: "a guard of commands",
    file: on("PreToolUse", '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', "Bash"),
    hooks: { PreToolUse: 1 },
  },
  {
    about: "a matcher that is a regular expression",
    file: on("PreToolUse", "./check.py", "mcp__.*__write.*"),
    hooks: { PreToolUse: 1 },
  },
  { about: "a matcher for everything", file: on("PostToolUse", "./log.sh", "*"), hooks: { PostToolUse: 1 } },
  {
    about: "a matcher that does not compile",
    file: on("PreToolUse", "./check.py", "Bash(git *"),
    hooks: { PreToolUse: 1 },
    problems: ["hooks.PreToolUse[0].matcher"],
  },
  {
    about: "a matcher that is a list",
    file: { hooks: { PreToolUse: [{ matcher: ["Bash"], hooks: [command("x")] }] } },
    hooks: { PreToolUse: 1 },
    problems: ["hooks.PreToolUse[0].matcher"],
  },
  {
    about: "a sound at the end",
    file: {
      hooks: {
        Stop: [group([command("afplay /System/Library/Sounds/Glass.aiff")], "")],
        Notification: [group([command("notify-send Done")])],
      },
    },
    hooks: { Stop: 1, Notification: 1 },
  },
  {
    about: "context at the start",
    file: on("SessionStart", "cat .claude/context.md", "startup|resume"),
    hooks: { SessionStart: 1 },
  },
  {
    about: "a check of prompts",
    file: on("UserPromptSubmit", "python3 .claude/hooks/prompt.py"),
    hooks: { UserPromptSubmit: 1 },
  },
  { about: "before a compaction", file: on("PreCompact", "./save.sh", "auto"), hooks: { PreCompact: 1 } },
  {
    about: "the newer events",
    file: {
      hooks: {
        Setup: [group([command("npm ci")], "init")],
        ConfigChange: [group([command("./reload.sh")])],
        TeammateIdle: [group([command("./assign.sh")])],
        WorktreeCreate: [group([command("./tree.sh")])],
        WorktreeRemove: [group([command("./untree.sh")])],
      },
    },
    hooks: { Setup: 1, ConfigChange: 1, TeammateIdle: 1, WorktreeCreate: 1, WorktreeRemove: 1 },
  },
  {
    about: "an event with a slip",
    file: { hooks: { PreToolUSe: [group([command("x")])], Stop: [group([command("y")])] } },
    hooks: { Stop: 1 },
    problems: ["hooks.PreToolUSe"],
  },
  { about: "an event about what is shown", file: on("MessageDisplay", "x"), hooks: { MessageDisplay: 1 } },
  {
    about: "a handler without its group",
    file: { hooks: { Stop: [command("say done")] } },
    hooks: { Stop: 0 },
    problems: ["hooks.Stop[0]"],
  },
  { about: "a command instead of a list", file: { hooks: { Stop: "say done" } }, problems: ["hooks.Stop"] },
  { about: "hooks that are off", file: { hooks: {}, disableAllHooks: true } },
  {
    about: "a time limit and a message",
    file: {
      hooks: { PreToolUse: [group([command("./slow.sh", { timeout: 30, statusMessage: "Checking…" })], "Bash")] },
    },
    hooks: { PreToolUse: 1 },
  },
  {
    about: "a time limit in words",
    file: { hooks: { PreToolUse: [group([command("./slow.sh", { timeout: "30s" })], "Bash")] } },
    hooks: { PreToolUse: 1 },
    problems: ["hooks.PreToolUse[0].hooks[0].timeout"],
  },
  {
    about: "a condition",
    file: { hooks: { PreToolUse: [group([command("./git.sh", { if: "Bash(git push:*)" })], "Bash")] } },
    hooks: { PreToolUse: 1 },
  },
  {
    about: "a condition that is open",
    file: { hooks: { PreToolUse: [group([command("./git.sh", { if: "Bash(git push" })], "Bash")] } },
    hooks: { PreToolUse: 1 },
    problems: ["hooks.PreToolUse[0].hooks[0].if"],
  },
  {
    about: "in the background, once",
    file: { hooks: { SessionStart: [group([command("./warm.sh", { async: true, once: true })])] } },
    hooks: { SessionStart: 1 },
  },
  {
    about: "a web service",
    file: {
      hooks: {
        PostToolUse: [
          group([
            {
              type: "http",
              url: "https://audit.example/hook",
              headers: { Authorization: "Bearer $TOKEN" },
              allowedEnvVars: ["TOKEN"],
            },
          ]),
        ],
      },
    },
    hooks: { PostToolUse: 1 },
  },
  {
    about: "a web service without a scheme",
    file: { hooks: { PostToolUse: [group([{ type: "http", url: "audit.example" }])] } },
    hooks: { PostToolUse: 0 },
    problems: ["hooks.PostToolUse[0].hooks[0].url"],
  },
  {
    about: "a question to a model, and no model",
    file: { hooks: { Stop: [group([{ type: "prompt", prompt: "Is all done? $ARGUMENTS" }])] } },
    hooks: { Stop: 0 },
    unsupported: ["hooks.Stop[0].hooks[0]"],
  },
  {
    about: "a guarding question to a model, and no model",
    file: { hooks: { PreToolUse: [group([{ type: "prompt", prompt: "Safe?" }], "Bash")] } },
    hooks: { PreToolUse: 1 },
    unsupported: ["hooks.PreToolUse[0].hooks[0]"],
  },
  {
    about: "a handler of a type to come",
    file: { hooks: { Stop: [group([{ type: "wasm", module: "x.wasm" }, command("say done")])] } },
    hooks: { Stop: 1 },
    problems: ["hooks.Stop[0].hooks[0].type"],
  },
  {
    about: "comments, as in an editor's settings",
    file: '{\n  // the team\'s rules\n  "permissions": { "deny": ["WebFetch"] /* for now */ }\n}',
    deny: 1,
    problems: [""],
  },
  { about: "a comma too many", file: '{"permissions": {"deny": ["WebFetch",],},}', deny: 1 },
  { about: "a byte order mark", file: '\uFEFF{"permissions": {"deny": ["WebFetch"]}}', deny: 1 },
  { about: "Windows line ends", file: '{\r\n  "permissions": {\r\n    "deny": ["WebFetch"]\r\n  }\r\n}\r\n', deny: 1 },
  {
    about: "one key twice",
    file: '{"permissions": {"allow": ["Bash(ls)"]}, "permissions": {"deny": ["WebFetch"]}}',
    allow: 1,
    deny: 1,
    problems: [""],
  },
  {
    about: "a merge that was not finished",
    file: '{\n<<<<<<< HEAD\n"permissions": {}\n=======\n"permissions": {"deny": []}\n>>>>>>> main\n}',
    isRefused: true,
  },
  { about: "a file that ends early", file: '{"permissions": {"deny": ["WebFetch"', isRefused: true },
  { about: "a file of another kind", file: "permissions:\n  deny: [WebFetch]\n", isRefused: true },
];
