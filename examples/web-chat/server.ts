// Shows: a web page where one talks to an agent, approves what it does, and loses nothing by a reload, a lost connection or a
//        restart of the server.
// Run:   npx tsx examples/web-chat/server.ts [--port 4173] [--data <directory for sessions>] [--dir <directory to work in>]
// Expect: an address to open. The model is recorded and works on a copy of a small repository, unless there is a key and --dir.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectLiveModel, findLiveModel } from "../coding-agent/live-model.js";
import { createAgent } from "./agent.js";
import { ChatServer } from "./chat-server.js";
import { listen } from "./node-server.js";
import { recordedModel } from "./recorded-model.js";
import { SUGGESTIONS } from "./recorded-stories.js";

const REPOSITORY = fileURLToPath(new URL("../coding-agent/repository", import.meta.url));

const USAGE = `npx tsx examples/web-chat/server.ts [options]

  --port <number>      where the page is served; default: 4173, 0 takes a free port
  --data <directory>   where sessions are kept; default: a directory that is removed at the end
  --dir <directory>    the directory to work in; needs a live model, so a key in the environment
  --model <name>       the live model, such as gpt-5.1 or anthropic/claude-sonnet-5
  --pace <ms>          between the pieces of a recorded answer; default: 12
  --max-events <n>     kept of a run for pages that come back; default: 10000`;

const values = readOptions();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const live = findLiveModel(process.env, values.model);
if (values.dir !== undefined && !live) {
  console.error("A directory of your own needs a live model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.");
  process.exit(2);
}
const isLive = live !== null && values.dir !== undefined;
const data = values.data === undefined ? temporaryDirectory() : resolve(values.data);
const directory = isLive ? resolve(values.dir!) : copyOfRepository(data);

const agent = await createAgent({
  provider: isLive ? connectLiveModel(live) : recordedModel({ chunkDelayMs: Number(values.pace) }),
  directory,
  data,
});
const chat = new ChatServer({
  ...agent,
  steeringFile: join(data, "steering.json"),
  maxEvents: Number(values["max-events"]),
  about: {
    title: "Loopwright",
    model: isLive ? live.model : "recorded model",
    place: isLive ? basename(directory) : "a copy of short-duration",
    suggestions: isLive ? ["What is in this directory?"] : SUGGESTIONS,
  },
});
await chat.restore();
const server = await listen(Number(values.port), (request) => chat.handle(request));
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

// A run that is cut off goes on when the server is started again with the same --data.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));

function readOptions() {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        port: { type: "string", default: "4173" },
        data: { type: "string" },
        dir: { type: "string" },
        model: { type: "string" },
        pace: { type: "string", default: "12" },
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

function copyOfRepository(parent: string): string {
  const copy = join(parent, "short-duration");
  mkdirSync(parent, { recursive: true });
  if (!existsSync(copy)) cpSync(REPOSITORY, copy, { recursive: true });
  return copy;
}
