// What coding agents in a terminal send before anybody has said much: each is run without a person in an empty directory, against a server
// on loopback that keeps the first request with tools.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { estimateTokens } from "loopwright/compaction";
import { type Installation, installPeer } from "./installation.js";
import { markdown } from "./row.js";

const run = promisify(execFile);
const TIME_LIMIT_MS = 120_000;

/** A program: its package, its file in `.bin`, and how it is pointed at the server. */
interface Program {
  readonly spec: string;
  readonly bin: string;
  args(url: string): readonly string[];
  /** A script of the package, without which its program is not there; npm runs none here. */
  readonly script?: string;
  env(url: string): Readonly<Record<string, string>>;
  /** Files of the user's directory. */
  files?(url: string): Readonly<Record<string, string>>;
}

const PROGRAMS: readonly Program[] = [
  {
    spec: "loopwright",
    bin: "loopwright",
    args: () => ["-p", "--model", "openai/m", "Hi."],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none" }),
  },
  {
    spec: "@earendil-works/pi-coding-agent",
    bin: "pi",
    args: () => ["-p", "--provider", "loop", "--model", "m", "--no-session", "Hi."],
    env: () => ({}),
    files(url) {
      const loop = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "none", models: [{ id: "m" }] };
      return { ".pi/agent/models.json": JSON.stringify({ providers: { loop } }) };
    },
  },
  {
    spec: "@anthropic-ai/claude-code",
    bin: "claude",
    args: () => ["-p", "Hi."],
    script: "install.cjs",
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    spec: "@openai/codex",
    bin: "codex",
    args(url) {
      const loop = `{ name = "loop", base_url = "${url}/v1", wire_api = "responses", env_key = "LOOP_KEY" }`;
      const settings = [`model_providers.loop=${loop}`, 'model_provider="loop"', 'model="m"'];
      return ["exec", "--skip-git-repo-check", ...settings.flatMap((setting) => ["-c", setting]), "Hi."];
    },
    env: () => ({ LOOP_KEY: "none" }),
  },
  {
    spec: "opencode-ai",
    bin: "opencode",
    script: "postinstall.mjs",
    args: () => ["run", "--model", "loop/m", "Hi."],
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    files(url) {
      const options = { baseURL: `${url}/v1`, apiKey: "none" };
      const loop = { npm: "@ai-sdk/openai-compatible", options, models: { m: {} } };
      return { ".config/opencode/opencode.json": JSON.stringify({ provider: { loop }, autoupdate: false }) };
    },
  },
];

const NOTE = `The first request of each program with tools, run without a person in an empty directory and with an empty home: descriptions and
schemas of tools, system prompt and messages, as JSON, by loopwright's own estimate. More tools do more.`;

/** A Markdown table; a program that cannot be installed or started has a line that says so. */
export async function compareFirstRequests(installation: Installation): Promise<string> {
  const lines: string[][] = [];
  const missing: string[] = [];
  for (const program of PROGRAMS) {
    const problem = program.spec === "loopwright" ? null : await installPeer(installation, program.spec);
    const sent = problem === null ? await firstRequestOf(installation, program).catch(String) : problem;
    if (typeof sent === "string") missing.push(`- \`${program.spec}\` was not measured: ${sent.split("\n")[0]}`);
    else lines.push([`${program.spec} ${sent.version}`, String(sent.tools), String(sent.tokens)]);
  }
  return [markdown(["first request", "tools", "tokens"], lines), NOTE, ...missing].join("\n\n");
}

async function firstRequestOf({ directory }: Installation, { spec, bin, args, script, env, files }: Program) {
  if (script) await run(process.execPath, [join(directory, "node_modules", spec, script)]);
  const place = await mkdtemp(join(tmpdir(), "first-requests-"));
  const server = await keepingServer();
  try {
    const [home, project] = [join(place, "home"), join(place, "project")];
    await mkdir(project, { recursive: true });
    for (const [path, content] of Object.entries({ ".keep": "", ...files?.(server.url) })) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), content);
    }
    const own = { PATH: process.env.PATH, HOME: home, ...env(server.url) };
    const running = run(join(directory, "node_modules/.bin", bin), args(server.url), {
      cwd: project,
      env: own,
      timeout: TIME_LIMIT_MS,
    });
    running.child.stdin?.end();
    await running;
    const { version } = JSON.parse(await readFile(join(directory, "node_modules", spec, "package.json"), "utf8"));
    const request = server.requests.find(({ tools }) => Array.isArray(tools));
    if (!request) throw new Error("it has sent no request with tools");
    const { tools, system, messages, instructions, input } = request;
    return {
      version,
      tools: (tools as unknown[]).length,
      tokens: estimateTokens(JSON.stringify([tools, system ?? instructions, messages ?? input])),
    };
  } finally {
    server.close();
    await rm(place, { recursive: true, force: true });
  }
}

type Body = Readonly<Record<string, unknown>>;

const event = (data: object, type?: string) => `${type ? `event: ${type}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null) =>
  event({ id: "a", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
const CHAT = `${chunk({ role: "assistant", content: "Hello." }, null)}${chunk({}, "stop")}data: [DONE]\n\n`;
const usage = { input_tokens: 1, output_tokens: 1 };
const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
const MESSAGES = [
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
]
  .map((each) => event(each, each.type))
  .join("");

const item = { type: "message", id: "i", role: "assistant", content: [{ type: "output_text", text: "Hello." }] };
const RESPONSE = [
  { type: "response.created", response: { id: "r", status: "in_progress", output: [] } },
  { type: "response.output_item.done", output_index: 0, item },
  {
    type: "response.completed",
    response: { id: "r", status: "completed", output: [item], usage: { ...usage, total_tokens: 2 } },
  },
]
  .map((each) => event(each, each.type))
  .join("");
/** By the end of the address. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ["/messages", MESSAGES],
  ["/completions", CHAT],
  ["/responses", RESPONSE],
];

/** Says "Hello." in the protocol that it is asked in, and keeps what it was sent. */
async function keepingServer() {
  const requests: Body[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const piece of incoming.setEncoding("utf8")) text += piece;
    if (text !== "") requests.push(JSON.parse(text) as Body);
    const { pathname } = new URL(incoming.url ?? "/", "http://loopback");
    const [, answer] = ANSWERS.find(([end]) => pathname.endsWith(end)) ?? [];
    outgoing.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/event-stream" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}
