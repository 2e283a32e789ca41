import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics, trace } from "@opentelemetry/api";
import { Bash } from "just-bash";
import * as a2a from "../../src/a2a/index.js";
import * as acp from "../../src/acp/index.js";
import { harnessSubagent, loopwrightHarness } from "../../src/ai-sdk/index.js";
import * as compaction from "../../src/compaction/index.js";
import { diskFiles } from "../../src/files/project-files.js";
import * as fleets from "../../src/fleet/index.js";
import * as hooks from "../../src/hooks/index.js";
import * as http from "../../src/http/index.js";
import * as root from "../../src/index.js";
import * as mcp from "../../src/mcp/index.js";
import * as memory from "../../src/memory/index.js";
import * as observability from "../../src/observability/index.js";
import { instrument } from "../../src/observability/otel/index.js";
import * as permissions from "../../src/permissions/index.js";
import * as presets from "../../src/presets/index.js";
import { nodeWorker, withPrograms } from "../../src/programs/index.js";
import { aiSdk } from "../../src/providers/ai-sdk/index.js";
import { anthropic } from "../../src/providers/anthropic/index.js";
import { google } from "../../src/providers/google/index.js";
import * as providers from "../../src/providers/index.js";
import { openai } from "../../src/providers/openai/index.js";
import { scripted, text } from "../../src/providers/scripted/index.js";
import * as scheduler from "../../src/scheduler/index.js";
import * as sessions from "../../src/sessions/index.js";
import * as postgres from "../../src/sessions/postgres/index.js";
import * as skills from "../../src/skills/index.js";
import * as subagents from "../../src/subagents/index.js";
import * as tasks from "../../src/tasks/index.js";
import { httpProviderContract, sse } from "../../src/testing/fault-server/index.js";
import * as testing from "../../src/testing/index.js";
import { MemoryFiles } from "../../src/testing/workspace/memory-files.js";
import * as tools from "../../src/tools/index.js";
import * as workspaces from "../../src/workspace/index.js";

/** A public function or class that takes options. */
export interface PublicFactory {
  /** Options it accepts, with one of each nested kind. */
  readonly valid: object;
  // biome-ignore lint/suspicious/noExplicitAny: wrong options are the point
  call(options: any): unknown;
  /** Where options lie inside the options: `limits`, or `sources.0`. */
  readonly nested?: readonly string[];
}

/** Every file of the tests goes here; the test that uses the table removes it. */
export const DIRECTORY = mkdtempSync(join(tmpdir(), "public-factories-"));
const FILE = join(DIRECTORY, "audit.jsonl");
const provider = scripted([], { loop: true });
const store = sessions.createMemorySessionStore();
const begun = sessions.createMemorySessionStore();
await new root.AgentEngine({ provider: scripted([text("Hi.")]), sessions: begun }).run("Hi.", { sessionId: "begun" });
const exported = await sessions.exportSession(begun, "begun");
const workspace = await testing.createMemoryWorkspace();
const run = async () => "";
const member = subagents.defineSubagent({ name: "a", description: "d", systemPrompt: "s" });
const rules = { allow: ["Bash(ls:*)"], ask: [], deny: [] };
const artifacts = { put: run, get: run };
/** Every statement fails: what is checked comes before the first. */
const pool = {
  query: () => Promise.reject(new Error("no database")),
  connect: () => Promise.reject(new Error("no database")),
  on: () => undefined,
};

async function* emptyRun(): AsyncGenerator<never> {}
const promptRequest = () => new Request("http://127.0.0.1", { method: "POST", body: '{"input":"x","answers":[]}' });

/** Every public factory with options, by its name. */
export const FACTORIES: Readonly<Record<string, PublicFactory>> = {
  // .
  AgentEngine: {
    valid: {
      provider,
      limits: { maxTurns: 3 },
      retry: { maxRetries: 1 },
      runaway: { remindAfter: 2, stopAfter: 4 },
      approvals: { key: "k" },
      modelOptions: { temperature: 0 },
    },
    nested: ["limits", "retry", "runaway", "approvals", "modelOptions"],
    call: (options) => new root.AgentEngine(options),
  },
  "engine.run": {
    valid: { sessionId: "s", limits: { maxTurns: 1 } },
    nested: ["limits"],
    call: (options) => new root.AgentEngine({ provider: scripted([text("done")]) }).run("go", options),
  },
  "engine.resume": {
    valid: { answers: [], limits: { maxTurns: 1 } },
    nested: ["limits"],
    call: (options) => new root.AgentEngine({ provider }).resume("none", options).result,
  },
  "engine.execute": {
    valid: { sessionId: "s", context: 1 },
    call: (options) => new root.AgentEngine({ provider }).execute({ id: "1", name: "x", arguments: {} }, options),
  },
  HookRunner: {
    valid: { Stop: [{ run: () => undefined, timeoutMs: 5 }] },
    nested: ["Stop.0"],
    call: (options) => new root.HookRunner(options),
  },
  defineTool: {
    valid: { name: "t", description: "d", permission: "none", execute: run, timeoutMs: 5 },
    call: (options) => root.defineTool(options),
  },
  withRetry: { valid: { maxRetries: 1, jitter: 0 }, call: (options) => root.withRetry(provider, options) },
  // ./a2a
  serveA2a: {
    valid: {
      engine: new root.AgentEngine({ provider }),
      card: {
        name: "n",
        description: "d",
        version: "1",
        url: "http://127.0.0.1/a2a",
        skills: [{ id: "s", name: "s", description: "d" }],
        provider: { organization: "o", url: "http://127.0.0.1" },
      },
      authenticate: () => "ann",
      maxBytes: 1_000,
      heartbeatMs: 10,
    },
    nested: ["card", "card.skills.0", "card.provider"],
    call: (options) => a2a.serveA2a(options),
  },
  // ./ai-sdk
  loopwrightHarness: {
    valid: {
      engine: new root.AgentEngine({ provider }),
      models: { other: provider },
      modes: { "allow-all": "acceptEdits" },
      store: "main",
      harnessId: "loopwright",
    },
    nested: ["modes"],
    call: (options) => loopwrightHarness(options),
  },
  harnessSubagent: {
    valid: {
      harness: loopwrightHarness({ engine: new root.AgentEngine({ provider }) }),
      name: "other",
      description: "d",
      sandbox: async () => ({ sandboxSession: {} as never, sessionWorkDir: "/tmp" }),
      permissionMode: "allow-reads",
      model: "m",
      ownTools: "accepted",
    },
    call: (options) => harnessSubagent(options),
  },
  // ./a2a
  a2aTool: {
    valid: {
      url: "http://127.0.0.1",
      name: "other",
      description: "d",
      headers: { "x-api-key": "k" },
      otherOrigins: ["http://127.0.0.1:8080"],
      timeoutMs: 5,
      silenceMs: 5,
      maxBytes: 5,
    },
    call: (options) => a2a.a2aTool(options),
  },
  // ./acp
  acpSubagent: {
    valid: {
      command: "agent",
      args: ["--acp"],
      env: { API_KEY: "k" },
      cwd: "/tmp",
      name: "other",
      description: "d",
      services: ["read"],
      ownTools: "accepted",
    },
    call: (options) => acp.acpSubagent(options),
  },
  serveAcp: {
    valid: {
      engine: new root.AgentEngine({ provider }),
      input: new ReadableStream(),
      output: new WritableStream(),
      commands: [{ name: "review", description: "Reviews.", prompt: () => "Review." }],
      models: { fast: provider },
      modes: ["plan"],
    },
    nested: ["commands.0"],
    call: async (options) =>
      acp.serveAcp({ input: new ReadableStream(), output: new WritableStream(), ...options }).close(),
  },
  // ./compaction
  createCompactionPipeline: {
    valid: { triggerRatio: 0.9, keepTurns: 2, artifacts },
    call: (options) => compaction.createCompactionPipeline(options),
  },
  createRecallTool: { valid: { sessions: store, artifacts }, call: (options) => compaction.createRecallTool(options) },
  contextUsage: {
    valid: { countTokens: (text: string) => text.length },
    call: (options) =>
      compaction.contextUsage(
        { system: [], tools: [], messages: [], sessionId: "s", signal: new AbortController().signal } as never,
        { contextWindow: 1_000, reservedOutputTokens: 0 } as never,
        options,
      ),
  },
  micro: { valid: { keepResults: 1, quoteChars: 10 }, call: (options) => compaction.micro(options) },
  offload: { valid: { minChars: 10, previewChars: 5, artifacts }, call: (options) => compaction.offload(options) },
  serverCompaction: { valid: { timeoutMs: 1_000 }, call: (options) => compaction.serverCompaction(options) },
  sessionMemory: { valid: { share: 0.2, notes: run }, call: (options) => compaction.sessionMemory(options) },
  snip: { valid: { turns: "any" }, call: (options) => compaction.snip(options) },
  summarize: { valid: { summarizer: provider, maxCalls: 2 }, call: (options) => compaction.summarize(options) },
  // ./fleet
  createFleet: {
    valid: { pool, schema: "s", queues: { slow: { concurrency: 1 } }, heartbeatMs: 1_000 },
    nested: ["queues.slow"],
    call: (options) => fleets.createFleet(options),
  },
  // ./hooks
  commandHook: { valid: { command: "true", timeoutMs: 5 }, call: (options) => hooks.commandHook(options) },
  httpHook: { valid: { url: "https://example.com", dir: "/" }, call: (options) => hooks.httpHook(options) },
  agentHook: {
    valid: { prompt: "p", provider, dir: "/", tools: [] },
    call: (options) => hooks.agentHook(options),
  },
  mcpToolHook: {
    valid: { server: "s", tool: "t", callTool: run, dir: "/" },
    call: (options) => hooks.mcpToolHook(options),
  },
  promptHook: { valid: { prompt: "p", provider, dir: "/" }, call: (options) => hooks.promptHook(options) },
  loadSettings: {
    valid: { home: null, trustProject: false },
    call: (options) => hooks.loadSettings(DIRECTORY, options),
  },
  // ./http
  toSse: { valid: { heartbeatMs: 0, from: 3 }, call: (options) => http.toSse(emptyRun(), options) },
  toResponse: {
    valid: { headers: { "x-own": "1" }, format: "ag-ui", threadId: "t" },
    call: (options) => http.toResponse(emptyRun(), options),
  },
  toUiMessageStream: {
    valid: { heartbeatMs: 0, abortOnLeave: true },
    call: (options) => http.toUiMessageStream(emptyRun(), options),
  },
  toUiMessages: {
    valid: { limit: 5, sessionId: "s", withoutRun: "r" },
    call: (options) => http.toUiMessages([], options),
  },
  toAgUiMessages: { valid: { limit: 5, sessionId: "s" }, call: (options) => http.toAgUiMessages([], options) },
  toAgUi: { valid: { heartbeatMs: 0, threadId: "t" }, call: (options) => http.toAgUi(emptyRun(), options) },
  readPrompt: { valid: { maxBytes: 100 }, call: (options) => http.readPrompt(promptRequest(), options) },
  readAnswers: { valid: { maxBytes: 100 }, call: (options) => http.readAnswers(promptRequest(), options) },
  toNodeHandler: {
    valid: { origin: "https://chat.example.com", onError: run },
    call: (options) => http.toNodeHandler(() => new Response(), options),
  },
  createRunHub: {
    valid: {
      engine: new root.AgentEngine({ provider }),
      maxEvents: 10,
      usage: { store: http.createUsageStore(), limits: { maxTokens: 5 } },
    },
    nested: ["usage"],
    call: (options) => http.createRunHub(options),
  },
  createChatRoutes: {
    valid: {
      engine: new root.AgentEngine({ provider }),
      identify: run,
      authorize: run,
      basePath: "/api/chat",
      maxBytes: 5,
      requestsPerMinute: 5,
      prefixFor: run,
      titleFor: run,
      forget: run,
    },
    call: (options) => http.createChatRoutes(options),
  },
  // ./mcp
  connectMcp: {
    valid: { timeoutMs: 1_000, reconnect: { baseMs: 5 }, elicit: false, definitions: { load: run, save: run } },
    nested: ["reconnect"],
    call: (options) => mcp.connectMcp({ name: "none", command: "true" }, options).close(),
  },
  "connectMcp server": {
    valid: { name: "none", command: "true", args: [], env: {}, cwd: DIRECTORY },
    call: (options) => mcp.connectMcp(options).close(),
  },
  "connectMcp URL": {
    valid: { name: "none", url: "http://127.0.0.1:9/mcp", headers: {} },
    call: (options) => mcp.connectMcp(options).close(),
  },
  createMcpAuth: {
    valid: { store: new Map(), signIn: run, redirectUrl: "http://localhost/back", scope: "read" },
    call: (options) => mcp.createMcpAuth(options),
  },
  loadMcpConfig: {
    valid: { home: null, trustProject: false },
    call: (options) => mcp.loadMcpConfig(join(DIRECTORY, ".mcp.json"), options),
  },
  mcpInstructions: { valid: { maxTokens: 100 }, call: (options) => mcp.mcpInstructions([], options) },
  serveMcp: {
    valid: { transport: { port: 0, token: "t" }, name: "tools" },
    nested: ["transport"],
    call: async (options) => (await mcp.serveMcp(new root.ToolRegistry(), options)).close(),
  },
  deferTools: {
    valid: { keep: ["read_file"], limit: 5, rank: () => [] },
    call: (options) => mcp.deferTools(new root.ToolRegistry(), options),
  },
  createTranscriptFiles: {
    valid: { sessions: store, dir: DIRECTORY, cwd: "/" },
    call: (options) => hooks.createTranscriptFiles(options),
  },
  // ./programs
  withPrograms: {
    valid: {
      tools: ["read_*"],
      only: ["mcp__*"],
      declare: 5,
      limits: { cpuMs: 100, timeoutMs: null },
      isolate: nodeWorker(),
    },
    nested: ["limits"],
    call: (options) => withPrograms(new root.ToolRegistry(), options),
  },
  // ./memory
  createFileFactStore: {
    valid: { dir: DIRECTORY, maxFacts: 5 },
    call: (options) => memory.createFileFactStore(options),
  },
  createMemoryTool: {
    valid: { workspace, directory: "kept" },
    call: (options) => memory.createMemoryTool(options),
  },
  createMemoryFactStore: { valid: { maxFacts: 5 }, call: (options) => memory.createMemoryFactStore(options) },
  factSource: {
    valid: { maxTokens: 50 },
    call: (options) => memory.factSource(memory.createMemoryFactStore(), options),
  },
  instructionFiles: { valid: { root: DIRECTORY, maxBytes: 50 }, call: (options) => memory.instructionFiles(options) },
  // ./observability
  createAuditTrail: {
    valid: { file: FILE, content: "digest" },
    call: async (options) => (await observability.createAuditTrail(options)).close(),
  },
  queryAudit: {
    valid: { type: "run-start", sessionId: "s" },
    call: (options) => observability.queryAudit(FILE, options).next(),
  },
  verifyAudit: {
    valid: { key: "k", expectHead: { seq: 0, hash: "" } },
    nested: ["expectHead"],
    call: (options) => observability.verifyAudit(FILE, options),
  },
  renderSession: {
    valid: {
      title: "t",
      redact: [/x/],
      sessions: store,
      sessionId: "s",
      audit: emptyRun(),
      artifacts: { get: async () => new Uint8Array() },
      prices: () => null,
    },
    call: (options) => observability.renderSession({ id: "s", entries: [] }, options),
  },
  createSessionPage: {
    valid: {
      read: emptyRun,
      title: "t",
      redact: true,
      sessions: store,
      sessionId: "s",
      audit: emptyRun,
      artifacts: { get: async () => new Uint8Array() },
      prices: () => null,
      everyMs: 1_000,
      allowedHosts: ["localhost"],
    },
    call: (options) => observability.createSessionPage(options),
  },
  traceRun: {
    valid: { redact: [/internal-\d+/] },
    call: (options) => observability.traceRun(new root.AgentEngine({ provider }), () => {}, options)(),
  },
  instrument: {
    valid: {
      tracer: trace.getTracer("t"),
      meter: metrics.getMeter("m"),
      content: true,
      agentName: "a",
      traceparents: new Map(),
    },
    call: (options) => instrument(new root.AgentEngine({ provider }), options)(),
  },
  // ./permissions
  createPermissionChecker: {
    valid: { mode: "plan", rules, sources: [{ source: "user", deny: [] }], classifier: { classify: run } },
    nested: ["rules", "sources.0", "classifier"],
    call: (options) => permissions.createPermissionChecker(options),
  },
  trustedFiles: {
    valid: { trusted: ["web:x.example"], untrusted: [] },
    call: (options) => permissions.trustedFiles(diskFiles, { root: "/", files: { onDisk: true } }, options),
  },
  lintRules: { valid: { tools: [], root: "/" }, call: (options) => permissions.lintRules(rules, options) },
  "lintRules rules": { valid: rules, call: (options) => permissions.lintRules(options) },
  testPolicy: {
    valid: { tool: "bash", input: { command: "ls" }, expect: "allow", mode: "default" },
    call: (options) => permissions.testPolicy(permissions.createPermissionChecker({ rules }), [options]),
  },
  analyzeCommand: { valid: { cwd: "/", home: "/home" }, call: (options) => permissions.analyzeCommand("ls", options) },
  assessDestruction: {
    valid: { root: "/", home: "/home" },
    call: (options) => permissions.assessDestruction(permissions.analyzeCommand("ls"), options),
  },
  // ./presets
  createCodingAgent: {
    valid: {
      provider,
      root: DIRECTORY,
      home: null,
      mcp: false,
      limits: { maxTurns: 1 },
      rules: { deny: [] },
      sandbox: {},
    },
    nested: ["limits", "rules", "sandbox"],
    call: async (options) => (await presets.createCodingAgent(options)).close(),
  },
  createReadOnlyAgent: {
    valid: { provider, root: DIRECTORY, home: null },
    call: async (options) => (await presets.createReadOnlyAgent(options)).close(),
  },
  createResearchAgent: {
    valid: { provider, search: run },
    call: async (options) => (await presets.createResearchAgent(options)).close(),
  },
  // ./providers
  createPrices: {
    valid: { inputUsd: 1, outputUsd: 1, cacheReadUsd: 0 },
    call: (options) => providers.createPrices({ model: options }),
  },
  loadPrices: {
    valid: { inputUsd: 1, outputUsd: 1, cacheReadUsd: 0 },
    call: (options) => providers.loadPrices({ model: options }),
  },
  withFallback: {
    valid: { on: ["SERVER"], backAfterMs: 5 },
    call: (options) => providers.withFallback([provider, provider], options),
  },
  withRateLimit: {
    valid: { requestsPerMinute: 5, concurrent: 1 },
    call: (options) => providers.withRateLimit(provider, options),
  },
  withCacheGuard: { valid: { strict: true }, call: (options) => providers.withCacheGuard(provider, options) },
  probeProvider: {
    valid: { signal: AbortSignal.abort() },
    call: (options) => providers.probeProvider(openai({ model: "m", apiKey: "k" }), options),
  },
  openai: {
    valid: { model: "m", apiKey: "k", compat: { strictSchema: true } },
    nested: ["compat"],
    call: (options) => openai(options),
  },
  anthropic: { valid: { model: "m", apiKey: "k" }, call: (options) => anthropic(options) },
  google: { valid: { model: "m", apiKey: "k" }, call: (options) => google(options) },
  aiSdk: {
    valid: { id: "i", contextWindow: 5 },
    call: (options) =>
      aiSdk(
        {
          specificationVersion: "v3",
          provider: "p",
          modelId: "m",
          supportedUrls: {},
          doGenerate: run,
          doStream: run,
        } as never,
        options,
      ),
  },
  scripted: { valid: { id: "i", loop: false }, call: (options) => scripted([], options) },
  // ./scheduler
  createScheduler: {
    valid: { engine: new root.AgentEngine({ provider }), limits: { maxParallel: 2 }, approvePlan: () => true },
    nested: ["limits"],
    call: (options) => scheduler.createScheduler(options),
  },
  // ./sessions
  createMemorySessionStore: {
    valid: { maxSessions: 5 },
    call: (options) => sessions.createMemorySessionStore(options),
  },
  createFileSessionStore: {
    valid: { dir: DIRECTORY, durability: "process" },
    call: (options) => sessions.createFileSessionStore(options),
  },
  importSession: {
    valid: { id: "taken", model: "anthropic/claude", onReport: () => {} },
    call: (options) => sessions.importSession(sessions.createMemorySessionStore(), exported, options),
  },
  exportAtif: {
    valid: { agent: { name: "a", version: "1" }, prices: () => null },
    nested: ["agent"],
    call: (options) => sessions.exportAtif(begun, "begun", options),
  },
  // ./sessions/postgres
  migrate: { valid: { pool, schema: "s" }, call: (options) => postgres.migrate(options) },
  createPostgresSessionStore: {
    valid: { pool, schema: "s", tenant: "a", leaseMs: 1_000 },
    call: (options) => postgres.createPostgresSessionStore(options),
  },
  createPostgresTaskStore: {
    valid: { pool, schema: "s", list: "l", tenant: "a" },
    call: (options) => postgres.createPostgresTaskStore(options),
  },
  createPostgresFactStore: {
    valid: { pool, book: "b", maxFacts: 5, tenant: "a" },
    call: (options) => postgres.createPostgresFactStore(options),
  },
  createPostgresUsageStore: {
    valid: { pool, schema: "s", tenant: "a" },
    call: (options) => postgres.createPostgresUsageStore(options),
  },
  createPostgresApprovals: {
    valid: { pool, schema: "s", tenant: "a" },
    call: (options) => postgres.createPostgresApprovals(options),
  },
  createCheckpoints: {
    valid: { dir: DIRECTORY, sessions: store, maxBytes: 5 },
    call: (options) => sessions.createCheckpoints(options),
  },
  // ./skills
  defineSkill: {
    valid: { name: "s", description: "d", instructions: "i" },
    call: (options) => skills.defineSkill(options),
  },
  loadPlugins: {
    valid: { trusted: ["0".repeat(64)], data: DIRECTORY },
    call: (options) => presets.loadPlugins([DIRECTORY], options),
  },
  loadSkills: { valid: { dirs: [], trustProject: false }, call: (options) => skills.loadSkills(options) },
  // ./subagents
  defineSubagent: {
    valid: { name: "a", description: "d", systemPrompt: "s", maxTurns: 2 },
    call: (options) => subagents.defineSubagent(options),
  },
  loadSubagents: { valid: { dirs: [], trustProject: false }, call: (options) => subagents.loadSubagents(options) },
  quarantine: {
    valid: {
      name: "read_it",
      description: "Reads it.",
      input: { type: "object" },
      read: () => "",
      output: { type: "number" },
    },
    call: (options) => subagents.quarantine(options),
  },
  createSubagentTools: {
    valid: { maxConcurrent: 2, maxDepth: 1, maxPerRun: 10 },
    call: (options) => subagents.createSubagentTools(options),
  },
  // ./tasks
  createTeam: {
    valid: { engine: new root.AgentEngine({ provider }), members: [member], store: tasks.createMemoryTaskStore() },
    call: (options) => tasks.createTeam(options),
  },
  createMemoryMailbox: { valid: { maxWaiting: 5 }, call: (options) => tasks.createMemoryMailbox(options) },
  createFileMailbox: {
    valid: { dir: join(DIRECTORY, "mail") },
    call: (options) => tasks.createFileMailbox(options),
  },
  createFileTaskStore: {
    valid: { dir: join(DIRECTORY, "tasks") },
    call: (options) => tasks.createFileTaskStore(options),
  },
  createMemoryTaskStore: {
    valid: { runtime: { now: () => 0 } },
    call: (options) => tasks.createMemoryTaskStore(options),
  },
  createTaskTools: {
    valid: { owner: "me" },
    call: (options) => tasks.createTaskTools(tasks.createMemoryTaskStore(), options),
  },
  // ./testing
  evaluate: {
    valid: { cases: [{ name: "a", input: "x" }], agent: run, scorers: { all: () => true }, repeats: 1 },
    nested: ["cases.0"],
    call: (options) => testing.evaluate(options),
  },
  judged: { valid: { provider, question: "Is it?", maxChars: 5_000 }, call: (options) => testing.judged(options) },
  toolsCalled: { valid: { inOrder: true, only: true }, call: (options) => testing.toolsCalled(["bash"], options) },
  fakeRuntime: { valid: { now: 5, seed: 2 }, call: (options) => testing.fakeRuntime(options) },
  createWorkspaceOver: {
    valid: { root: "/", files: new MemoryFiles(), name: "memory", homes: ["/home"], onClose: run },
    call: (options) => workspaces.createWorkspaceOver(options),
  },
  createMachineWorkspace: {
    valid: { machine: workspaces.localMachine(), root: DIRECTORY, makeRoot: true, lanes: 1, spares: 0, env: {} },
    call: async (options) => (await workspaces.createMachineWorkspace(options)).close(),
  },
  dockerMachine: {
    valid: { image: "i", network: "none", run: [], user: "u", docker: "docker", host: "unix:///s" },
    call: (options) => workspaces.dockerMachine(options),
  },
  sshMachine: {
    valid: { host: "h", user: "u", port: 22, options: ["IdentityFile=k"] },
    call: (options) => workspaces.sshMachine(options),
  },
  createJustBashWorkspace: {
    valid: { bash: new Bash(), root: "/home/user", homes: ["/home"] },
    call: (options) => workspaces.createJustBashWorkspace(options),
  },
  createMemoryWorkspace: { valid: { files: {} }, call: (options) => testing.createMemoryWorkspace(options) },
  gateContract: {
    valid: { tool: "bash", allowed: {}, asked: {}, denied: {} },
    call: (options) => testing.gateContract(() => permissions.createPermissionChecker(), options),
  },
  providerContract: {
    valid: { failures: ["AUTH"] },
    call: (options) => testing.providerContract(() => provider, options),
  },
  httpProviderContract: {
    valid: { reply: () => ({}), connect: () => provider, stride: 5 },
    call: (options) => httpProviderContract(options),
  },
  toolContract: {
    valid: { valid: [{}], settleMs: 5 },
    call: (options) => testing.toolContract(() => tools.createAskUserTool(), options),
  },
  sse: { valid: { done: false, newline: "\n" }, call: (options) => sse([], options) },
  // ./tools
  builtinTools: {
    valid: {
      permissions: ["read_only"],
      bash: { isReadOnlyCommand: () => false },
      webFetch: { timeoutMs: 5 },
      webSearch: { search: run },
    },
    nested: ["bash", "webFetch", "webSearch"],
    call: (options) => tools.builtinTools(workspace, options),
  },
  createBashTool: {
    valid: { isReadOnlyCommand: () => false },
    call: (options) => tools.createBashTool(workspace, options),
  },
  createGrepTool: { valid: { ripgrep: false }, call: (options) => tools.createGrepTool(workspace, options) },
  createWebFetchTool: { valid: { timeoutMs: 5 }, call: (options) => tools.createWebFetchTool(options) },
  createWebSearchTool: { valid: { search: run }, call: (options) => tools.createWebSearchTool(options) },
  // ./workspace
  createWorkspace: {
    valid: { root: DIRECTORY, protectedPaths: ["a"], env: {} },
    call: async (options) => (await workspaces.createWorkspace(options)).close(),
  },
  createArtifactStore: {
    valid: { dir: join(DIRECTORY, "artifacts"), maxBytes: 5 },
    call: (options) => workspaces.createArtifactStore(options),
  },
  createLocalShell: { valid: { root: DIRECTORY, env: {} }, call: (options) => workspaces.createLocalShell(options) },
  sandboxedShell: { valid: { allowedHosts: [] }, call: (options) => workspaces.sandboxedShell(options) },
};

/** Public factories that take no options: a workspace, a store or a list, or nothing at all. */
export const WITHOUT_OPTIONS: ReadonlySet<string> = new Set([
  ...[
    "createCompactTool",
    "createMcpRegistry",
    "createMemoryTools",
    "createFaultServer",
    "createFileState",
    "createSkillTool",
    "createUsageStore",
  ],
  // The engine's own options, in which the engine names what it does not know.
  ...["recordRun", "replayRun"],
  ...["createAskUserTool", "createBashKillTool", "createBashOutputTool", "createCreateDirTool", "createEditFileTool"],
  ...["createGlobTool", "createListDirTool", "createReadFileTool", "createTodoWriteTool", "createWriteFileTool"],
]);
