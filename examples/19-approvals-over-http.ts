// Shows: a server whose agent waits for an approval, is killed, and goes on in another process when somebody answers by HTTP.
// Run:   npx tsx examples/19-approvals-over-http.ts        (or, to click yourself: … 19-approvals-over-http.ts serve ./data 8080)
// Expect: the first server suspends the run and dies by kill -9; the second lists the question, is answered, and deploys.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool, isHarnessError, type PendingRequest, signAnswer } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createFileSessionStore, findPending } from "loopwright/sessions";
import * as z from "zod";

/** Answers count only when this server signed them: whoever can write the session's file cannot say yes. */
const KEY = process.env.APPROVAL_KEY ?? "only for the example";

/** Every process makes the same engine; the directory is all they share. */
function serve(dir: string, port: number): void {
  const sessions = createFileSessionStore({ dir: join(dir, "sessions") });
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys a version.",
    input: z.object({ version: z.string() }),
    permission: "execute", // The default gate asks.
    async execute({ version }) {
      appendFileSync(join(dir, "deployed"), `${version}\n`);
      return `Deployed ${version}.`;
    },
  });
  const engine = (isNew: boolean) =>
    new AgentEngine({
      provider: scripted(isNew ? [toolCall("deploy", { version: "1.4.0" })] : [text("1.4.0 is live.")]),
      tools: [deploy],
      sessions,
      approvals: { key: KEY, expiresAfterMs: 24 * 60 * 60 * 1000 },
    });

  async function pending(): Promise<PendingRequest[]> {
    const found: PendingRequest[] = [];
    for await (const { id } of sessions.list()) found.push(...(await findPending(sessions, id)));
    return found;
  }

  async function answer(body: string) {
    const read = Answered.safeParse(parsed(body));
    if (!read.success) return { status: 400, body: { error: 'Send { "id": …, "decision": "allow" or "deny" }.' } };
    const about = read.data;
    const request = (await pending()).find(({ id }) => id === about.id);
    if (!request)
      return { status: 404, body: { error: "No such question waits: it was answered already, or never asked." } };
    const answers = [signAnswer(request, { id: request.id, decision: about.decision, by: "the web page" }, KEY)];
    try {
      const result = await engine(false).resume(request.sessionId, { answers }).result;
      return { status: 200, body: { status: result.status, text: result.text } };
    } catch (error) {
      if (isHarnessError(error, "SESSION_BUSY")) return { status: 409, body: { error: "Somebody else is answering." } };
      throw error;
    }
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown, type = "application/json") =>
      response.writeHead(status, { "content-type": type }).end(type === "text/html" ? body : JSON.stringify(body));
    try {
      const route = `${request.method} ${request.url}`;
      const { origin, host = "" } = request.headers;
      const isOwn = /^(127\.0\.0\.1|localhost):\d+$/.test(host) && (!origin || origin === `http://${host}`);
      if (!isOwn) return send(403, { error: "Another site's page may not answer." });
      if (route === "GET /") return send(200, PAGE, "text/html");
      if (route === "GET /pending") return send(200, await pending());
      if (route === "POST /tasks") {
        const { status, sessionId } = await engine(true).run(await bodyOf(request));
        return send(202, { status, sessionId });
      }
      if (route !== "POST /answers") return send(404, { error: `There is no ${route}.` });
      const { status, body } = await answer(await bodyOf(request));
      send(status, body);
    } catch (error) {
      send(500, { error: String(error) });
    }
  });
  server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

const Answered = z.object({ id: z.string(), decision: z.enum(["allow", "deny"]) });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) if (body.length < 100_000) body += chunk;
  return body;
}

/** What waits is shown as text, never as HTML. */
const PAGE = `<!doctype html><title>Approvals</title><h1>Waiting</h1><ul id="list"></ul><script>
  const list = document.getElementById("list");
  async function show() {
    list.replaceChildren(...(await (await fetch("/pending")).json()).map((question) => {
      const item = document.createElement("li");
      item.textContent = question.reason + " " + question.tool + " " + JSON.stringify(question.input) + " ";
      for (const decision of ["allow", "deny"]) {
        const button = document.createElement("button");
        button.textContent = decision;
        button.onclick = () => fetch("/answers", { method: "POST", body: JSON.stringify({ id: question.id, decision }) }).then(show);
        item.append(button);
      }
      return item;
    }));
  }
  show();
</script>`;

const [command, directory, port] = process.argv.slice(2);
if (command === "serve") {
  serve(directory ?? "./data", Number(port ?? 0));
} else {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-example-"));
  const servers: ChildProcess[] = [];
  const start = async () => {
    const server = spawn(process.execPath, [...process.execArgv, process.argv[1]!, "serve", dir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    servers.push(server);
    return await new Promise<string>((resolve) => server.stdout!.once("data", (line) => resolve(String(line).trim())));
  };
  const post = async (url: string, body: string) => (await fetch(url, { method: "POST", body })).json();
  try {
    const first = await start();
    const task = await post(`${first}/tasks`, "Deploy 1.4.0.");
    servers[0]!.kill("SIGKILL");
    console.log(`first server: ${task.status}, then killed`);

    const second = await start();
    const waiting = (await (await fetch(`${second}/pending`)).json()) as PendingRequest[];
    console.log(`second server: ${waiting.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`)} waits`);
    const wrong = await post(`${second}/answers`, JSON.stringify({ id: waiting[0]!.id, decision: "perhaps" }));
    const yes = JSON.stringify({ id: waiting[0]!.id, decision: "allow" });
    const [done, again] = [await post(`${second}/answers`, yes), await post(`${second}/answers`, yes)];
    console.log(`answered: ${done.text}`);

    assert.equal(task.status, "needs-approval");
    assert.deepEqual(
      waiting.map(({ tool, input }) => ({ tool, input })),
      [{ tool: "deploy", input: { version: "1.4.0" } }],
    );
    assert.match(wrong.error, /allow/);
    assert.deepEqual(done, { status: "completed", text: "1.4.0 is live." });
    assert.match(again.error, /answered already/);
    assert.equal(readFileSync(join(dir, "deployed"), "utf8"), "1.4.0\n");
  } finally {
    for (const server of servers) server.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  }
}
