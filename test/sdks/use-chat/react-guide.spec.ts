// The component that the React guide shows, in a browser, against a server as the guide has it.
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { createRunHub, readPrompt, toErrorResponse, toResponse, toUiMessages } from "../../../src/http/index.js";
import { AgentEngine, type ProviderAdapter } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../../src/sessions/index.js";
import { openChromium } from "../../browser/chromium.js";
import { blocksOf, ROOT, readPage } from "../../docs/pages.js";
import { deploy } from "../../http/agents.js";
import { serve } from "../../http/loopback.js";

const PAGE = "<!doctype html><body><div id=root></div><script src='/app.js'></script>";

async function appOfGuide(): Promise<string> {
  const component = blocksOf(readPage("docs/guides/use-react.md")).find(({ language }) => language === "jsx")!.code;
  const start = `import { createRoot } from "react-dom/client";
${component}
createRoot(document.getElementById("root")).render(<Chat id="chat-1" />);`;
  const { outputFiles } = await build({
    stdin: { contents: start, loader: "jsx", resolveDir: join(ROOT, "test/sdks") },
    bundle: true,
    format: "iife",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
  });
  return outputFiles[0]!.text;
}

async function openGuide(provider: ProviderAdapter) {
  const script = await appOfGuide();
  const sessions = createMemorySessionStore();
  const hub = createRunHub({ engine: new AgentEngine({ provider, tools: [deploy], sessions }) });
  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
    if (pathname === "/app.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    if (pathname === "/chat/chat-1" && request.method === "GET")
      return Response.json(await toUiMessages(sessions.read("chat-1"), { sessionId: "chat-1", sessions }));
    if (request.method === "GET") return new Response(null, { status: 204 });
    try {
      if (pathname === "/chat/chat-1/stop") return Response.json({ stopped: await hub.stop("chat-1") });
      return toResponse(await hub.send(await readPrompt(request)), { format: "ui-messages" });
    } catch (error) {
      return toErrorResponse(error);
    }
  });
  onTestFinished(server.close);
  const { context, close } = await openChromium();
  onTestFinished(close);
  const page = await context.newPage();
  await page.goto(server.url);
  const say = async (words: string) => {
    await page.locator("input").fill(words);
    await page.getByRole("button", { name: "Send" }).click();
  };
  return { page, say, hub, sessions };
}

test("the page of the React guide sends a message, asks for an approval and shows the answer", async () => {
  const { page } = await openGuide(scripted([toolCall("deploy", { to: "production" }), text("It is live.")]));

  await page.locator("input").fill("Deploy.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("It is live.").waitFor();

  expect(await page.locator("article.user p").textContent()).toBe("Deploy.");
  expect(await page.locator("section").textContent()).toContain('deploy {"to":"production"} output-available');
});

test("the page of the React guide asks again, edits a message and stops, and the model is sent what it shows", async () => {
  const long = { text: "On and on. ".repeat(3_000), chunkSize: 11, chunkDelayMs: 10 };
  const provider = scripted([text("Red."), text("Blue."), text("A cat."), long, text("As you wish.")]);
  const { page, say } = await openGuide(provider);
  await say("A colour?");
  await page.getByText("Red.").waitFor();
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("Blue.").waitFor();
  expect(await page.getByText("Red.").count()).toBe(0);

  page.on("dialog", (dialog) => dialog.accept("An animal?"));
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("A cat.").waitFor();
  await say("Tell me more.");
  await page.getByText("On and on.").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  const shown = await page.locator("article > p").allTextContents();
  await say("Enough.");
  await page.getByText("As you wish.").waitFor();

  const sent = provider.requests.at(-1)!.messages.map(({ content }) => (content[0] as { text: string }).text);
  expect(sent).toEqual([...shown, "Enough."]);
  expect(shown.slice(0, 3)).toEqual(["An animal?", "A cat.", "Tell me more."]);
});

test("the page of the React guide shows the chat as it is kept when another tab has answered its question", async () => {
  const { page, say, hub, sessions } = await openGuide(scripted([toolCall("deploy"), text("It is live.")]));
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await say("Deploy.");
  await page.getByRole("button", { name: "Allow" }).waitFor();
  const answers = (await findPending(sessions, "chat-1")).map(({ id }) => ({ id, decision: "allow" as const }));
  await (await hub.answer(answers, { sessionId: "chat-1" })).result;

  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("It is live.").waitFor();

  expect(await page.getByRole("alert").textContent()).toContain("CHAT_DIFFERS");
  expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
  expect(await page.locator("section").textContent()).toContain("output-available");
  expect(posts).toHaveLength(2);
});
