// Agent files in the styles in which they are found in public, each with what must become of it.
export interface AgentSample {
  readonly file: string;
  readonly text: string;
  /** What the agent must be; `null`: it is not one. */
  readonly agent: {
    readonly name?: string;
    readonly description?: RegExp;
    readonly prompt?: RegExp;
    /** `null`: all of the parent's. */
    readonly tools?: readonly string[] | null;
    readonly denied?: readonly string[];
    readonly model?: string;
    readonly maxTurns?: number;
    readonly kind?: string;
    readonly isolation?: string;
    readonly readOnly?: boolean;
  } | null;
  /** The fields that problems name, each once, in any order. */
  readonly problems: readonly string[];
}

const BODY = "You are an expert.\n\nWhen invoked:\n1. Look\n2. Report\n";

/** A file with these lines in its frontmatter. */
function md(frontmatter: string, body = BODY): string {
  return `---\n${frontmatter}\n---\n\n${body}`;
}

function sample(
  file: string,
  frontmatter: string,
  agent: AgentSample["agent"],
  problems: readonly string[] = [],
): AgentSample {
  return { file: `${file}.md`, text: md(frontmatter), agent, problems };
}

const D = "description: Does things well";

const TOOLS: readonly AgentSample[] = [
  sample("tools-absent", `name: a\n${D}`, { name: "a", tools: null, prompt: /^You are an expert\.[\s\S]*Report$/ }),
  sample("tools-comma", `name: a\n${D}\ntools: Read, Write, Edit, Bash, Glob, Grep`, {
    tools: ["read_file", "write_file", "edit_file", "bash", "glob", "grep"],
  }),
  sample("tools-comma-tight", `name: a\n${D}\ntools: Read,Grep,Glob`, { tools: ["read_file", "grep", "glob"] }),
  sample("tools-trailing-comma", `name: a\n${D}\ntools: Read, Grep,`, { tools: ["read_file", "grep"] }),
  sample("tools-flow-list", `name: a\n${D}\ntools: [Read, Grep]`, { tools: ["read_file", "grep"] }),
  sample("tools-json-list", `name: a\n${D}\ntools: ["Read", "Bash"]`, { tools: ["read_file", "bash"] }),
  sample("tools-block-list", `name: a\n${D}\ntools:\n  - Read\n  - Grep`, { tools: ["read_file", "grep"] }),
  sample("tools-flat-list", `name: a\n${D}\ntools:\n- Read\n- Grep`, { tools: ["read_file", "grep"] }),
  sample("tools-quoted-text", `name: a\n${D}\ntools: "Read, Grep"`, { tools: ["read_file", "grep"] }),
  sample("tools-spaces", `name: a\n${D}\ntools: Read Grep Bash`, { tools: ["read_file", "grep", "bash"] }),
  sample("tools-lower-case", `name: a\n${D}\ntools: read, grep, bash`, { tools: ["read_file", "grep", "bash"] }),
  sample("tools-our-names", `name: a\n${D}\ntools: read_file, list_dir, edit_file`, {
    tools: ["read_file", "list_dir", "edit_file"],
  }),
  sample("tools-mixed-names", `name: a\n${D}\ntools: Read, read_file, LS`, { tools: ["read_file", "list_dir"] }),
  sample("tools-twice", `name: a\n${D}\ntools: Read, Read`, { tools: ["read_file"] }),
  sample("tools-one", `name: a\n${D}\ntools: Bash`, { tools: ["bash"] }),
  sample("tools-star-quoted", `name: a\n${D}\ntools: "*"`, { tools: null }),
  sample("tools-star", `name: a\n${D}\ntools: *`, { tools: null }, ["tools"]),
  sample("tools-all", `name: a\n${D}\ntools: All`, { tools: null }),
  sample("tools-star-list", `name: a\n${D}\ntools: ["*"]`, { tools: null }),
  sample("tools-empty", `name: a\n${D}\ntools:`, { tools: [] }, ["tools"]),
  sample("tools-empty-text", `name: a\n${D}\ntools: ""`, { tools: [] }, ["tools"]),
  sample("tools-empty-list", `name: a\n${D}\ntools: []`, { tools: [] }),
  sample("tools-number", `name: a\n${D}\ntools: 5`, { tools: [] }, ["tools"]),
  sample("tools-true", `name: a\n${D}\ntools: true`, { tools: [] }, ["tools"]),
  sample("tools-mapping", `name: a\n${D}\ntools:\n  read: true\n  bash: false`, { tools: [] }, ["tools"]),
  sample("tools-unknown-one", `name: a\n${D}\ntools: Read, Teleport`, { tools: ["read_file"] }, ["tools"]),
  sample("tools-unknown-all", `name: a\n${D}\ntools: Teleport, Fly`, { tools: [] }, ["tools", "tools"]),
  sample(
    "tools-elsewhere",
    `name: a\n${D}\ntools: Glob, LS, ExitPlanMode, Read, KillBash`,
    {
      tools: ["glob", "list_dir", "read_file"],
    },
    ["tools", "tools"],
  ),
  sample("tools-prose", `name: a\n${D}\ntools: all the tools you need`, { tools: [] }, [
    "tools",
    "tools",
    "tools",
    "tools",
    "tools",
  ]),
  sample("tools-servers", `name: a\n${D}\ntools: Read, mcp__github__create_issue, mcp__linear__*`, {
    tools: ["read_file", "mcp__github__create_issue", "mcp__linear__*"],
  }),
  sample("tools-web", `name: a\n${D}\ntools: WebFetch, WebSearch`, { tools: ["web_fetch", "web_search"] }),
  sample("tools-todo", `name: a\n${D}\ntools: TodoWrite, AskUserQuestion, Skill`, {
    tools: ["todo_write", "ask_user", "skill"],
  }),
  sample("tools-task", `name: a\n${D}\ntools: Task, Read`, { tools: ["task", "read_file"] }),
  sample("tools-notebooks", `name: a\n${D}\ntools: Read, NotebookEdit, MultiEdit`, {
    tools: ["read_file", "edit_file"],
  }),
  sample("tools-part-of-bash", `name: a\n${D}\ntools: Read, Bash(git diff:*)`, { tools: ["read_file"] }, ["tools"]),
  sample("tools-parts-of-bash", `name: a\n${D}\ntools: Bash(git add, git commit), Read`, { tools: ["read_file"] }, [
    "tools",
  ]),
  sample("tools-whole-bash", `name: a\n${D}\ntools: Bash(*)`, { tools: ["bash"] }),
  sample("tools-part-list", `name: a\n${D}\ntools:\n  - Read\n  - Bash(npm test:*)`, { tools: ["read_file"] }, [
    "tools",
  ]),
  sample("tools-part-colon", `name: a\n${D}\ntools:\n  - Bash(git: *)`, { tools: [] }, ["tools", "tools"]),
  sample("tools-agent-part", `name: a\n${D}\ntools: Agent(worker, researcher), Read`, { tools: ["read_file"] }, [
    "tools",
  ]),
  sample("tools-host", `name: a\n${D}\ntools: Read, deploy_site`, { tools: ["read_file", "deploy_site"] }),
  sample("tools-path", `name: a\n${D}\ntools: ../../etc, Read`, { tools: ["read_file"] }, ["tools"]),
  sample("tools-nested-list", `name: a\n${D}\ntools: [[Read], Grep]`, { tools: ["grep"] }, ["tools"]),
  sample("tools-backquotes", `name: a\n${D}\ntools: "\`Read\`, \`Grep\`"`, { tools: ["read_file", "grep"] }),
  sample("tools-dashes", `name: a\n${D}\ntools: |\n  - Read\n  - Grep`, { tools: ["read_file", "grep"] }),
  sample("tools-comment", `name: a\n${D}\ntools: Read, Grep # only these`, { tools: ["read_file", "grep"] }),
  sample("tools-twice-in-file", `name: a\n${D}\ntools: Read\ntools: Grep`, { tools: ["grep"] }, ["tools"]),
  sample("tools-folded", `name: a\n${D}\ntools: Read,\n  Grep,\n  Glob`, { tools: ["read_file", "grep", "glob"] }),
  sample("allowed-tools", `name: a\n${D}\nallowed-tools: Read, Grep`, { tools: ["read_file", "grep"] }, [
    "allowed-tools",
  ]),
  sample("allowedTools", `name: a\n${D}\nallowedTools:\n  - Read`, { tools: ["read_file"] }, ["allowedTools"]),
  sample("allowedTools-and-tools", `name: a\n${D}\ntools: Read\nallowedTools: Bash`, { tools: ["read_file"] }, [
    "allowedTools",
  ]),
  sample("tools-capital", `name: a\n${D}\nTools: Read`, { tools: ["read_file"] }, ["Tools"]),
  sample("tool-singular", `name: a\n${D}\ntool: Read`, { tools: ["read_file"] }, ["tool"]),
  sample("disallowed-hyphen", `name: a\n${D}\ntools: Read\ndisallowed-tools: Bash`, { denied: ["bash"] }, [
    "disallowed-tools",
  ]),
  sample("disallowed", `name: a\n${D}\ndisallowedTools: Bash, Write`, { tools: null, denied: ["bash", "write_file"] }),
  sample("disallowed-list", `name: a\n${D}\ntools: Read, Bash\ndisallowedTools: [Bash]`, {
    tools: ["read_file", "bash"],
    denied: ["bash"],
  }),
  sample("disallowed-part", `name: a\n${D}\ndisallowedTools: Bash(rm:*)`, { tools: null, denied: ["bash"] }, [
    "disallowedTools",
  ]),
  sample("disallowed-unknown", `name: a\n${D}\ndisallowedTools: Teleport`, { tools: null, denied: ["Teleport"] }),
];

const EXAMPLES = `Use this agent when you need a review. Examples: <example>Context: The user wrote code. user: 'Check it' assistant: 'I will use the reviewer' <commentary>It was asked for.</commentary></example>`;

const YAML: readonly AgentSample[] = [
  sample(
    "yaml-colon",
    `name: reviewer\ndescription: ${EXAMPLES}\ntools: Read\nmodel: sonnet\ncolor: red`,
    {
      name: "reviewer",
      description: /^Use this agent.*<\/example>$/,
      tools: ["read_file"],
      model: "sonnet",
    },
    ["description"],
  ),
  sample("yaml-escaped-lines", `name: a\ndescription: "Use when:\\n\\n<example>\\nuser: hi\\n</example>"`, {
    description: /^Use when:\n\n<example>\nuser: hi/,
  }),
  sample(
    "yaml-raw-escapes",
    `name: a\ndescription: Use this when\\n\\nExamples:\\n<example>\\nContext: x\\n</example>`,
    {
      description: /^Use this when\\n/,
    },
    ["description"],
  ),
  sample(
    "yaml-dialogue-lines",
    `name: a\ndescription: Use this: often\n<example>\nuser: "hi"\nassistant: "ho"\n</example>\nmodel: opus`,
    {
      description: /user: "hi"\nassistant: "ho"\n<\/example>$/,
      model: "opus",
    },
    ["description"],
  ),
  sample("yaml-block-text", `name: a\ndescription: |\n  First: line\n  Second line`, {
    description: /^First: line\nSecond line$/,
  }),
  sample("yaml-folded", `name: a\ndescription: >\n  First\n  second`, { description: /^First second$/ }),
  sample("yaml-folded-strip", `name: a\ndescription: >-\n  First: one\n  second`, {
    description: /^First: one second$/,
  }),
  sample("yaml-single-quotes", `name: a\ndescription: 'It''s: fine'`, { description: /^It's: fine$/ }),
  sample(
    "yaml-quote-inside",
    `name: a\ndescription: Use "proactively": always`,
    { description: /^Use "proactively": always$/ },
    ["description"],
  ),
  sample(
    "yaml-open-quote",
    `name: a\ndescription: "never closed\ntools: Read`,
    {
      description: /never closed/,
      tools: ["read_file"],
    },
    ["description"],
  ),
  sample("yaml-emoji", `name: a\ndescription: "🚀 Fast — très bien"`, { description: /^🚀 Fast — très bien$/ }),
  sample(
    "yaml-dash-colon",
    `name: a\ndescription: Expert in X - use for: A, B, and C`,
    { description: /use for: A, B/ },
    ["description"],
  ),
  sample("yaml-at", `name: a\ndescription: @team asks for it`, { description: /^@team asks/ }, ["description"]),
  sample("yaml-hash", `name: a\ndescription: Knows C# and F#`, { description: /^Knows C# and F#$/ }),
  sample("yaml-brackets", `name: a\ndescription: [BETA] does things`, { description: /^\[BETA\] does things$/ }, [
    "description",
  ]),
  sample("yaml-list-description", `name: a\ndescription:\n  - One\n  - Two`, { description: /^One\nTwo$/ }),
  sample("yaml-tabs", `name: a\n${D}\ntools:\n\t- Read\n\t- Grep`, { tools: ["read_file", "grep"] }, ["tools"]),
  sample("yaml-no-space", `name:a\ndescription:Does things`, { name: "a", description: /^Does things$/ }, [
    "name",
    "description",
  ]),
  sample("yaml-name-twice", `name: a\nname: b\n${D}`, { name: "b" }, ["name"]),
  sample(
    "yaml-merge-marks",
    `<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> main\n${D}`,
    { name: "yaml-merge-marks" },
    ["", "name", "name", "name", "name"],
  ),
  {
    file: "crlf.md",
    text: md(`name: a\n${D}\ntools: Read`).replaceAll("\n", "\r\n"),
    agent: { tools: ["read_file"] },
    problems: [],
  },
  { file: "bom.md", text: `\uFEFF${md(`name: a\n${D}`)}`, agent: { name: "a" }, problems: [] },
  { file: "blank-first.md", text: `\n\n${md(`name: a\n${D}`)}`, agent: { name: "a" }, problems: [] },
  { file: "no-body.md", text: `---\nname: a\n${D}\n---`, agent: { prompt: /^$/ }, problems: [] },
  {
    file: "rule-in-body.md",
    text: md(`name: a\n${D}`, "One\n\n---\n\nTwo"),
    agent: { prompt: /^One\n\n---\n\nTwo$/ },
    problems: [],
  },
];

const FIELDS: readonly AgentSample[] = [
  sample("model-sonnet", `name: a\n${D}\nmodel: sonnet`, { model: "sonnet" }),
  sample("model-inherit", `name: a\n${D}\nmodel: inherit`, { model: undefined as never }),
  sample("model-unknown", `name: a\n${D}\nmodel: gpt-99`, { model: undefined as never }, ["model"]),
  sample("model-list", `name: a\n${D}\nmodel: [opus]`, { model: "opus" }),
  sample("model-mapping", `name: a\n${D}\nmodel:\n  name: opus`, { model: undefined as never }, ["model"]),
  sample("max-turns", `name: a\n${D}\nmaxTurns: 12`, { maxTurns: 12 }),
  sample("max-turns-text", `name: a\n${D}\nmaxTurns: "12"`, { maxTurns: 12 }),
  sample("max-turns-wrong", `name: a\n${D}\nmaxTurns: many`, { maxTurns: undefined as never }, ["maxTurns"]),
  sample("max-turns-negative", `name: a\n${D}\nmaxTurns: -1`, { maxTurns: undefined as never }, ["maxTurns"]),
  sample("background", `name: a\n${D}\nbackground: true`, { kind: "background" }),
  sample("worktree", `name: a\n${D}\nisolation: worktree`, { isolation: "worktree" }),
  sample("isolation-unknown", `name: a\n${D}\nisolation: docker`, null, ["isolation"]),
  sample("mode-ask-nobody", `name: a\n${D}\npermissionMode: dontAsk`, null, ["permissionMode"]),
  sample("mode-unknown", `name: a\n${D}\npermissionMode: strict`, null, ["permissionMode"]),
  sample("mode-plan", `name: a\n${D}\npermissionMode: plan`, { readOnly: true }),
  sample("mode-bypass", `name: a\n${D}\npermissionMode: bypassPermissions`, { readOnly: undefined as never }, [
    "permissionMode",
  ]),
  sample(
    "hooks",
    `name: a\n${D}\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: "rm -rf /"`,
    {
      name: "a",
    },
    ["hooks"],
  ),
  sample(
    "hooks-broken",
    `name: a\ndescription: Use: this\nhooks:\n  Stop:\n    - hooks: [{ type: command, command: x }]`,
    { name: "a" },
    ["description", "hooks"],
  ),
  sample("servers", `name: a\n${D}\nmcpServers:\n  db:\n    command: npx\n    args: [evil]`, { name: "a" }, [
    "mcpServers",
  ]),
  sample("skills", `name: a\n${D}\nskills: [x]\nmemory: user`, { name: "a" }, ["skills", "memory"]),
  sample("decoration", `name: a\n${D}\ncolor: cyan\nversion: 1.0.0\nauthor: me\ntags: [x, y]\neffort: high`, {
    name: "a",
  }),
  sample("prototype", `name: a\n${D}\n__proto__: { tools: [Bash] }\nconstructor: x`, { tools: null }),
];

const NAMES: readonly AgentSample[] = [
  sample("spaces", `name: Code Reviewer\n${D}`, { name: "Code Reviewer" }),
  sample("plus", `name: c++ expert\n${D}`, { name: "c++ expert" }),
  sample("dots", `name: next.js-pro\n${D}`, { name: "next.js-pro" }),
  sample("umlauts", `name: prüfer\n${D}`, { name: "prüfer" }),
  sample("number", `name: 42\n${D}`, { name: "42" }),
  sample("from-file", `${D}`, { name: "from-file" }, ["name"]),
  sample("empty-name", `name: ""\n${D}`, { name: "empty-name" }, ["name"]),
  sample("slash-name", `name: team/reviewer\n${D}`, { name: "slash-name" }, ["name"]),
  sample("bracket-name", `name: "a) allow(x"\n${D}`, { name: "bracket-name" }, ["name"]),
  sample("control-name", `name: "a\\e[31mb"\n${D}`, { name: "control-name" }, ["name"]),
  sample("long-name", `name: ${"x".repeat(100)}\n${D}`, { name: "long-name" }, ["name"]),
  sample("no-description", `name: a`, { description: /^You are an expert\.$/ }, ["description"]),
  sample("empty-description", `name: a\ndescription:`, { description: /^You are an expert\.$/ }, ["description"]),
  { file: "nothing-said.md", text: "---\nname: a\n---\n", agent: null, problems: ["description"] },
  {
    file: "heading.md",
    text: md("name: a", "# SQL expert\n\nYou know SQL."),
    agent: { description: /^SQL expert$/ },
    problems: ["description"],
  },
  { file: "README.md", text: "# Agents\n\nPut agents here.\n", agent: null, problems: [] },
  { file: "readme.md", text: "---\ntitle: Agents\nlayout: page\n---\n# Agents\n", agent: null, problems: [] },
  { file: "CONTRIBUTING.md", text: "Send a request.", agent: null, problems: [] },
  { file: "notes.md", text: "Just notes.", agent: null, problems: [""] },
  { file: "page.md", text: "---\ntitle: Page\n---\nText", agent: null, problems: [""] },
  { file: "unclosed.md", text: `---\nname: a\n${D}\n\nYou are an expert.`, agent: null, problems: ["", ""] },
  { file: "empty.md", text: "", agent: null, problems: [""] },
  { file: "list.md", text: "---\n- name: a\n- description: b\n---\n", agent: null, problems: ["", ""] },
  { file: "code-fence.md", text: "```yaml\n---\nname: a\n---\n```\n", agent: null, problems: [""] },
  { file: "binary.md", text: "---\nname: \u0000\u0001\n---\n\u0000", agent: null, problems: ["name", "description"] },
];

export const AGENT_CORPUS: readonly AgentSample[] = [...TOOLS, ...YAML, ...FIELDS, ...NAMES];
