// The component that the React guide shows, in a browser, against a server as the guide has it.
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { createRunHub, readPrompt, toErrorResponse, toResponse } from "../../../src/http/index.js";
import { AgentEngine } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
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

test("the page of the React guide sends a message, asks for an approval and shows the answer", async () => {
  const script = await appOfGuide();
  const provider = scripted([toolCall("deploy", { to: "production" }), text("It is live.")]);
  const hub = createRunHub({ engine: new AgentEngine({ provider, tools: [deploy] }) });
  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
    if (pathname === "/app.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    if (request.method === "GET") return new Response(null, { status: 204 });
    try {
      const { sessionId, input, answers } = await readPrompt(request);
      const run = answers.length > 0 ? await hub.answer(answers, { sessionId }) : hub.start(input, { sessionId });
      await run.started;
      return toResponse(run, { format: "ui-messages" });
    } catch (error) {
      return toErrorResponse(error);
    }
  });
  onTestFinished(server.close);
  const { context, close } = await openChromium();
  onTestFinished(close);
  const page = await context.newPage();
  await page.goto(server.url);

  await page.locator("input").fill("Deploy.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("It is live.").waitFor();

  expect(await page.locator("article.user").textContent()).toBe("Deploy.");
  expect(await page.locator("section").textContent()).toContain('deploy {"to":"production"} output-available');
});
