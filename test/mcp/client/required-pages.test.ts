import { expect, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { createMcpRegistry, type McpElicitation } from "../../../src/mcp/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { callOf, connectHostile, connectPublished } from "../servers.js";

const permissions = createPermissionChecker({ rules: { allow: ["mcp__everything", "mcp__hostile"] } });
const AGAIN = "wants a page opened again and again";
const page = { url: "https://example.com/sign-in", message: "Sign in there." };

test.each([false, true])("a real server has the user open a page, errorPath: %j", async (errorPath) => {
  const asked: McpElicitation[] = [];
  const everything = connectPublished("everything", [], {
    elicit: (request) => {
      asked.push(request);
      return { action: "accept" };
    },
  });
  await everything.ready;

  const { output, isError } = await callOf(everything, "trigger-url-elicitation", { ...page, errorPath });

  const first = { server: "everything", mode: "url", url: "https://modelcontextprotocol.io" };
  const second = { server: "everything", mode: "url", ...page };
  expect(asked).toMatchObject(errorPath ? [first, second] : [second]);
  expect({ output, isError }).toEqual({ output: expect.stringContaining("User completed"), isError: false });
});

test.each([false, true])(
  "hooks read the server's name for a page that it wants opened, errorPath: %j",
  async (errorPath) => {
    const everything = connectPublished("everything", [], { elicit: () => ({ action: "accept" }) });
    await everything.ready;
    const heard: unknown[] = [];
    const note = ({ hookEventName, mode, mcpServerName, elicitationId }: Record<string, unknown>) =>
      void heard.push([hookEventName, mode, mcpServerName, elicitationId]);
    const call = toolCall("mcp__everything__trigger-url-elicitation", { ...page, errorPath, elicitationId: "e-7" });
    const engine = new AgentEngine({
      provider: scripted([call, text("Done.")]),
      tools: createMcpRegistry([everything]),
      permissions,
      hooks: { Elicitation: [{ run: note as never }], ElicitationResult: [{ run: note as never }] },
    });

    await engine.run("Sign in.");

    const both = (id: unknown) => ["Elicitation", "ElicitationResult"].map((point) => [point, "url", "everything", id]);
    expect(heard).toEqual([...(errorPath ? both(expect.any(String)) : []), ...both("e-7")]);
  },
);

test("a page suspends the run where no function asks, and its answer reaches the server", async () => {
  const everything = connectPublished("everything");
  await everything.ready;
  const provider = scripted([
    toolCall("mcp__everything__trigger-url-elicitation", { ...page, errorPath: true }),
    text("Done."),
  ]);
  const engine = new AgentEngine({ provider, tools: createMcpRegistry([everything]), permissions });

  const { pending } = await engine.run("Sign in.", { sessionId: "s" });
  expect(pending).toMatchObject([
    { kind: "elicitation", input: { mode: "url", url: "https://modelcontextprotocol.io" } },
  ]);
  const answer = (id: string) => ({ answers: [{ id, value: {} }] });
  const next = await engine.resume("s", answer(pending[0]!.id)).result;
  expect(next.pending).toMatchObject([{ kind: "elicitation", input: { mode: "url", url: page.url } }]);
  const { status } = await engine.resume("s", answer(next.pending[0]!.id)).result;

  expect(status).toBe("completed");
  expect(JSON.stringify(provider.requests[1]?.lastToolResult)).toContain("User completed");
  provider.assertExhausted();
});

test.each([
  [AGAIN, { elicit: () => ({ action: "accept" as const }) }, /the user agreed, but has not finished there/],
  [AGAIN, { elicit: () => ({ action: "decline" as const }) }, /the user did not agree to that/],
  [AGAIN, { elicit: false as const }, /nobody can be asked here\..*https:\/\/pay\.example\/1$/],
  [
    "wants a script opened",
    { elicit: () => expect.fail("The user was asked.") },
    /the user was not asked: The URL is not one of http or https/,
  ],
])("a call of a server that %s fails with the page when it is not opened", async (habit, options, message) => {
  const connection = connectHostile(habit, options);
  await connection.ready;

  const result = await callOf(connection, "echo");

  expect(result).toMatchObject({ isError: true, details: { code: "MCP_FAILED" } });
  expect(result.output).toMatch(message);
});

test("a page that the user is to open is no address of a program", async () => {
  const everything = connectPublished("everything", [], { elicit: () => expect.fail("The user was asked.") });
  await everything.ready;

  const result = await callOf(everything, "trigger-url-elicitation", { ...page, url: "file:///etc/passwd" });

  expect(result.isError).toBe(true);
  expect(result.output).toContain("http or https");
});
