// `loopwright inspect`: a session as a page to look through, in a file or at an address of this machine.
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { renderSession } from "../../observability/page/render-session.js";
import { createSessionPage } from "../../observability/page/session-page.js";
import { createPrices } from "../../providers/prices.js";
import { exportAtif } from "../../sessions/export-atif.js";
import { exportMarkdown } from "../../sessions/export-markdown.js";
import { createFileSessionStore } from "../../sessions/file-session-store.js";
import { createArtifactStore } from "../../workspace/artifacts.js";
import type { CommandLine } from "../command-line.js";
import { EXIT, UsageError } from "../exit-codes.js";
import { Interruption } from "../interruption.js";
import type { ProgramIo } from "../program-io.js";
import { projectPlaceOf } from "../project/project-place.js";
import { revealedText } from "../terminal/screen/safe-text.js";
import { readVersion } from "../version.js";
import { requireSession } from "./session-choice.js";
import { newestSession, titleOf } from "./session-list.js";
import { sessionNames } from "./session-names.js";

/** The session that is named, or the newest one. Resolves with the exit code. */
export async function inspectSession(line: CommandLine, io: ProgramIo): Promise<number> {
  const { stdout, cwd } = io;
  const { state } = projectPlaceOf(line, io);
  const sessions = createFileSessionStore({ dir: state.sessions });
  const [resume] = line.words;
  const names = await sessionNames(state.names).read();
  const id = resume === undefined ? await newestSession(sessions) : await requireSession(sessions, resume, names);
  if (id === undefined)
    throw new UsageError("There is no session of this project yet, so there is nothing to inspect.");
  const artifacts = createArtifactStore({ dir: state.artifacts, keep: true });
  const title = (await titleOf(sessions, id, names)) || id;
  const about = { title, sessionId: id, sessions, artifacts, prices: createPrices() };
  if (line.serve) return servePage(createSessionPage({ ...about, read: () => sessions.read(id) }), stdout);
  const file = resolve(cwd, line.out ?? `session-${id.slice(0, 8)}.html`);
  const { prices } = about;
  if (file.endsWith(".atif.json")) {
    const agent = { name: "loopwright", version: readVersion() };
    await writeFile(file, await exportAtif(sessions, id, { agent, prices }));
  } else if (file.endsWith(".md")) {
    const text = await exportMarkdown(sessions, id);
    await writeFile(file, revealedText(text.replaceAll("\r\n", "\n")));
  } else await writeFile(file, await renderSession(sessions.read(id), about));
  stdout.write(`${file}\n`);
  return EXIT.done;
}

type Page = (request: Request) => Promise<Response>;

/** Serves the page to this machine alone, until Ctrl+C. */
async function servePage(page: Page, stdout: NodeJS.WritableStream): Promise<number> {
  const server = createServer((incoming, outgoing) => void answer(page, incoming, outgoing));
  const { port } = await listening(server);
  stdout.write(`http://127.0.0.1:${port}/\nEnd with Ctrl+C.\n`);
  const interruption = new Interruption();
  const { signal } = interruption;
  await new Promise<void>((resolveEnd) => signal.addEventListener("abort", () => resolveEnd(), { once: true }));
  interruption.close();
  server.closeAllConnections();
  await new Promise<void>((resolveEnd) => server.close(() => resolveEnd()));
  return EXIT.done;
}

function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolveAddress, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolveAddress(server.address() as AddressInfo));
  });
}

async function answer(page: Page, { method, url, headers }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const response = await page(
      new Request(new URL(url ?? "/", `http://${headers.host}`), { method: method ?? "GET" }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(method === "HEAD" ? undefined : await response.text());
  } catch {
    outgoing.writeHead(400).end();
  }
}
