// Shows: a chat for several users behind nothing but createChatRoutes(): history, edit, regenerate, branches, stop, titles, search, share,
//        attachments. A reload, a lost connection or a restart of the server loses nothing.
// Run:   npx tsx examples/web-chat/server.ts [--port 4173] [--data <directory for sessions>]
// Expect: an address to open. Sign in as anybody; the model is made up, unless there is a key in the environment.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { AgentEngine, defineTool } from "loopwright";
import { createChatRoutes, createRunHub, createUsageStore } from "loopwright/http";
import { createFileSessionStore } from "loopwright/sessions";
import { createAskUserTool } from "loopwright/tools";
import { z } from "zod";
import { connectLiveModel, findLiveModel } from "../coding-agent/live-model.js";
import { goOn } from "./go-on.js";
import { madeUpModel } from "./made-up-model.js";
import { listen } from "./node-server.js";
import { SignIn } from "./sign-in.js";

const USAGE = `npx tsx examples/web-chat/server.ts [options]

  --port <number>      where the page is served; default: 4173, 0 takes a free port
  --data <directory>   where sessions are kept; default: a directory that is removed at the end
  --model <name>       the live model, such as gpt-5.1 or anthropic/claude-sonnet-5; needs a key in the environment
  --pace <ms>          between the pieces of a made-up answer; default: 15
  --max-events <n>     kept of a run for pages that come back; default: 10000`;

const values = readOptions();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const data = values.data === undefined ? temporaryDirectory() : resolve(values.data);

const remind = defineTool({
  name: "set_reminder",
  description: "Sets a reminder for the user, who is asked first.",
  input: z.object({ text: z.string() }),
  permission: "execute",
  execute: async ({ text }) => `The reminder "${text}" is set.`,
});
const live = findLiveModel(process.env, values.model);
const provider = live ? connectLiveModel(live) : madeUpModel(Number(values.pace));
const sessions = createFileSessionStore({ dir: join(data, "sessions") });
const hub = createRunHub({
  engine: new AgentEngine({
    provider,
    tools: [remind, createAskUserTool()],
    sessions,
    systemPrompt: "You are a friendly assistant in a chat that shows Markdown.",
    limits: { maxTurns: 20 },
  }),
  maxEvents: Number(values["max-events"]),
  usage: { store: createUsageStore(), limits: { maxTokens: 2_000_000 } },
});
const titles =
  live && new AgentEngine({ provider, systemPrompt: "Answer with a title of at most six words, nothing else." });

const signIn = new SignIn(join(data, "secret"));
const routes = createChatRoutes({
  engine: hub,
  identify: (request) => signIn.userOf(request),
  // The ids of a user's chats begin with the user, so nobody has to keep a table of owners.
  authorize: ({ user, session }) => session.startsWith(`${user.id}.`),
  prefixFor: (user) => `${user.id}.`,
  ...(titles && {
    titleFor: async ({ prompt }) => (await titles.run(`Title of a chat that begins with: ${prompt}`)).text,
  }),
  // A picture that the page has made smaller has some 300 KB.
  maxBytes: 6 * 1024 * 1024,
});

await goOn(hub, sessions);
const address = await listen(Number(values.port), async (request) => {
  const { pathname } = new URL(request.url);
  return /^\/chat(\/|$)/.test(pathname) ? routes.handle(request) : signIn.handle(request);
});
console.log(`${address}/`);
// A run that is cut off goes on when the server is started again with the same --data.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));

function readOptions() {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        port: { type: "string", default: "4173" },
        data: { type: "string" },
        model: { type: "string" },
        pace: { type: "string", default: "15" },
        "max-events": { type: "string", default: "10000" },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "loopwright-chat-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}
