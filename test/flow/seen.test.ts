// Wherever a question is shown, it says which content made the call ask.
import { expect, test } from "vitest";
import { toAgUi, toUiMessageStream } from "../../src/http/index.js";
import { AgentEngine } from "../../src/index.js";
import { renderSession } from "../../src/observability/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { mail, page } from "./mail-tools.js";

const BECAUSE = "Asks because the page x.example was read";

function asking() {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([toolCall("read_page", {}), toolCall("send_mail", { to: "eve@x.example" })]),
    sessions,
    tools: [page, mail],
    permissions: createPermissionChecker({ rules: { allow: ["read_page", "send_mail"] }, flow: {} }),
  });
  return { sessions, run: engine.stream("Go on", { sessionId: "s" }) };
}

test.each([
  ["AG-UI", toAgUi],
  ["UI messages", toUiMessageStream],
])("%s", async (_name, view) => {
  const { run } = asking();

  const sent = await new Response(view(run)).text();

  expect((await run.result).status).toBe("needs-approval");
  expect(sent).toContain(BECAUSE);
});

test("the session page, beside the result that it came from, each with the place", async () => {
  const { sessions, run } = asking();
  await run.result;

  const html = await renderSession(sessions.read("s"));

  expect(html).toContain(BECAUSE);
  expect(html).toContain('"outside":["web:x.example"]');
  expect(html).toContain('"because":["web:x.example"]');
});
