// The order in which the site shows its pages. One that is not named here is shown under "More".

/** Pages under one heading, by their path without `.md`, relative to docs/. */
export interface Group {
  readonly title: string;
  readonly pages: readonly string[];
}

export const GROUPS: readonly Group[] = [
  { title: "Start", pages: ["getting-started", "why", "where-it-runs", "playground", "README", "troubleshooting"] },
  {
    title: "Run an agent",
    pages: [
      "guides/start-from-a-preset",
      "guides/run-and-stop",
      "guides/write-a-tool",
      "guides/know-who-is-calling",
      "guides/structured-output",
      "guides/handle-failures",
      "guides/sessions-and-recovery",
      "guides/sessions-in-a-database",
      "guides/delete-sessions",
    ],
  },
  {
    title: "Models",
    pages: [
      "guides/choose-a-provider",
      "guides/use-anthropic",
      "guides/use-openai",
      "guides/use-google",
      "guides/use-azure-bedrock-vertex",
      "guides/use-the-ai-sdk",
      "guides/fall-back-and-limit",
      "guides/know-the-cost",
      "guides/limit-each-user",
      "guides/set-model-options",
      "guides/write-a-provider",
    ],
  },
  {
    title: "Files and shell",
    pages: [
      "guides/use-the-built-in-tools",
      "guides/edit-files",
      "guides/run-shell-commands",
      "guides/run-tools-elsewhere",
      "guides/give-each-user-a-workspace",
      "guides/rewind-files",
    ],
  },
  {
    title: "Permissions",
    pages: [
      "guides/approve-tool-calls",
      "guides/write-permission-rules",
      "guides/permission-recipes",
      "guides/approve-over-http",
      "guides/use-hooks",
      "guides/run-commands-as-hooks",
      "guides/bring-what-you-have",
      "guides/bring-your-settings",
      "guides/use-plugins",
    ],
  },
  {
    title: "Context and memory",
    pages: [
      "guides/manage-context",
      "guides/recall-what-was-said",
      "guides/remember-across-sessions",
      "guides/use-skills",
      "guides/write-a-compaction-stage",
    ],
  },
  {
    title: "Many agents, many tools",
    pages: [
      "guides/use-subagents",
      "guides/share-tasks",
      "guides/plan-a-goal",
      "guides/use-many-tools",
      "guides/run-programs",
      "guides/connect-mcp-servers",
      "guides/offer-tools-over-mcp",
    ],
  },
  {
    title: "Where people meet it",
    pages: [
      "guides/use-the-terminal",
      "guides/run-in-scripts",
      "guides/serve-over-http",
      "guides/build-a-web-chat",
      "guides/use-react",
      "guides/put-an-agent-into-an-editor",
      "guides/your-agent-for-other-agents",
      "guides/your-agent-behind-the-ai-sdk",
      "guides/other-vendors-agents",
    ],
  },
  { title: "Many machines", pages: ["guides/run-a-fleet", "concepts/fleet-capacity"] },
  {
    title: "See what happens",
    pages: [
      "guides/log-what-happens",
      "guides/read-a-session",
      "guides/keep-an-audit-trail",
      "guides/trace-with-opentelemetry",
    ],
  },
  {
    title: "Test and evaluate",
    pages: ["guides/test-your-agent", "guides/record-and-replay", "guides/evaluate-an-agent"],
  },
  {
    title: "Come from elsewhere",
    pages: [
      "migrate/from-a-loop-of-your-own",
      "migrate/from-the-ai-sdk",
      "migrate/from-the-claude-agent-sdk",
      "migrate/from-langgraph",
    ],
  },
  { title: "Versions", pages: ["migrate/upgrading", "versioning", "contributing/cut-a-release"] },
  {
    title: "Recipes",
    pages: ["guides/serve-from-a-framework", "recipes/electron", "recipes/vs-code", "recipes/ci", "recipes/scoreboard"],
  },
  {
    title: "Concepts",
    pages: [
      "concepts/the-loop",
      "concepts/laws",
      "concepts/permissions",
      "concepts/context",
      "concepts/sandbox",
      "concepts/shell-grammar",
      "concepts/containment",
      "concepts/shell-analysis",
    ],
  },
  {
    title: "Reference",
    pages: [
      "reference/errors",
      "reference/events",
      "reference/hook-points",
      "reference/provider-replay",
      "reference/programs",
      "benchmarks",
    ],
  },
  {
    title: "Contribute",
    pages: [
      "contributing/README",
      "contributing/debug-a-run",
      "contributing/add-a-tool",
      "contributing/add-a-provider",
      "contributing/add-a-store",
      "contributing/add-a-program-row",
    ],
  },
];

/** For those who change the library itself. */
export const INSIDE = "architecture";
