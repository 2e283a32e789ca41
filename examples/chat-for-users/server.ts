// Shows: a chat for several users behind nothing but createChatRoutes(): history, edit, regenerate, branches, stop, titles, search, share,
//        attachments.
// Run:   npx tsx examples/chat-for-users/server.ts [--port 4174] [--data <directory for sessions>]
// Expect: an address to open. Sign in as anybody; the model is made up, unless there is a key in the environment.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { AgentEngine, defineTool } from "loopwright";
import { createChatRoutes, createRunHub, createUsageStore, toNodeHandler } from "loopwright/http";
import { createFileSessionStore } from "loopwright/sessions";
import { z } from "zod";
import { connectLiveModel, findLiveModel } from "../coding-agent/live-model.js";
import { madeUpModel } from "./made-up-model.js";
import { fileOf } from "./page-files.js";
import { SignIn } from "./sign-in.js";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4174" },
    data: { type: "string" },
    pace: { type: "string", default: "15" },
  },
});
const data = values.data === undefined ? temporaryDirectory() : resolve(values.data);

const remind = defineTool({
  name: "set_reminder",
  description: "Sets a reminder for the user, who is asked first.",
  input: z.object({ text: z.string() }),
  permission: "execute",
  execute: async ({ text }) => `The reminder "${text}" is set.`,
});
const live = findLiveModel(process.env);
const provider = live ? connectLiveModel(live) : madeUpModel(Number(values.pace));
const hub = createRunHub({
  engine: new AgentEngine({
    provider,
    tools: [remind],
    sessions: createFileSessionStore({ dir: join(data, "sessions") }),
    systemPrompt: "You are a friendly assistant in a chat. You write plain text, without Markdown.",
    limits: { maxTurns: 20 },
  }),
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

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (/^\/chat(\/|$)/.test(pathname)) return routes.handle(request);
  return (await signIn.handle(request)) ?? fileOf(pathname);
}

const server = createServer();
server.listen(Number(values.port), "127.0.0.1", () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", toNodeHandler(handle, { origin }));
  console.log(`${origin}/`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "loopwright-users-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}
