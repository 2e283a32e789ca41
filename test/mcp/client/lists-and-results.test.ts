import { expect, test } from "vitest";
import { describeCall } from "../../../src/index.js";
import { listTools } from "../../../src/mcp/client/listing.js";
import { OpenCalls } from "../../../src/mcp/client/open-calls.js";
import { createRemoteTool, type ToolHost } from "../../../src/mcp/client/remote-tool.js";
import { createExtraTool } from "../../../src/mcp/client/resource-tools.js";
import { readContent } from "../../../src/mcp/client/tool-content.js";
import { fakeToolContext } from "../../../src/testing/index.js";

type Answer = (method: string, params: { readonly cursor?: string }) => unknown;

const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
  ...more,
});
const list = async (answer: Answer) => {
  const client = { request: async ({ method, params }: { method: string; params: object }) => answer(method, params) };
  return listTools(client as never, { timeout: 1_000, signal: new AbortController().signal });
};
const pages =
  (...all: readonly (readonly object[])[]): Answer =>
  (_, { cursor = "0" }) => ({
    tools: all[Number(cursor)],
    ...(Number(cursor) + 1 < all.length && { nextCursor: String(Number(cursor) + 1) }),
  });

test("every tool of every page is listed, also behind an empty page", async () => {
  const { tools, problems } = await list(pages([tool("a"), tool("b")], [], [tool("c")], [], [tool("d")]));

  expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  expect(problems).toEqual([]);
});

test("of two tools of one name the first is used, also when they are on two pages", async () => {
  const { tools, problems } = await list(
    pages([tool("a", { description: "First." })], [tool("a", { description: "Second." }), tool("b")]),
  );

  expect(tools.map(({ description }) => description)).toEqual(["First.", "b"]);
  expect(problems).toMatchObject({ length: 1 });
});

test.each([
  ["description", { description: "Other." }],
  ["input schema", { inputSchema: { type: "object", required: ["x"] } }],
  ["output schema", { outputSchema: { type: "object" } }],
  ["annotations", { annotations: { destructiveHint: true } }],
  ["title", { title: "Other" }],
])("a definition of which only the %s is another has another digest", async (_, more) => {
  const digestOf = async (definition: object) => (await list(pages([definition]))).tools[0]!.digest;
  const { description, ...rest } = tool("a");

  expect(await digestOf(tool("a", more))).not.toBe(await digestOf(tool("a")));
  expect(await digestOf({ ...rest, description })).toBe(await digestOf(tool("a")));
});

test.each([
  ["its title", { title: "Make\u202e an issue", annotations: { title: "Other" } }, "files: Make an issue", "other"],
  ["its annotated title", { annotations: { title: "Look\u0007", readOnlyHint: true } }, "files: Look", "read"],
  ["its name", { title: " ", annotations: { title: 3, readOnlyHint: "yes" } }, "files: a", "other"],
  ["a title without end, cut,", { title: "t".repeat(1_000_000) }, `files: ${"t".repeat(159)}…`, "other"],
])("a call is shown by its server and %s", async (_, more, title, kind) => {
  const [listed] = (await list(pages([tool("a", more)]))).tools;

  expect(
    describeCall(
      await createRemoteTool(
        hostOf(() => ({})),
        "mcp__files__a",
        listed!,
      ),
      {},
    ),
  ).toEqual({ title, kind });
});

/** A host whose server answers like this. */
function hostOf(answer: Answer): ToolHost {
  const client = { request: async ({ method, params }: { method: string; params: object }) => answer(method, params) };
  const link = {
    client,
    enter: () => () => {},
    isForgottenBy: () => false,
    whenEnded: () => () => {},
    check: () => {},
    askUser: undefined,
  };
  const sdk = { ProtocolError: { isInstance: () => false }, SdkError: { isInstance: () => false } };
  return {
    server: "files",
    toolTimeoutMs: null,
    target: () =>
      ({
        server: "files",
        sdk,
        link,
        calls: new OpenCalls(),
        limits: { timeoutMs: 20_000, maxCallMs: 20_000 },
      }) as never,
    changeOf: () => "same",
    accept: () => {},
  };
}

test("templates are listed with the first page alone, and what a page leaves out is counted", async () => {
  const asked: string[] = [];
  const lists = createExtraTool(
    hostOf((method, { cursor }) => {
      asked.push(method);
      if (method !== "resources/list") return { resourceTemplates: [{ uriTemplate: "file:///{path}" }] };
      const resources = Array.from({ length: cursor ? 1 : 203 }, (_, n) => ({ uri: `file:///${cursor ?? ""}${n}` }));
      return { resources, ...(!cursor && { nextCursor: "p2" }) };
    }),
    "list_resources",
    "mcp__files__list_resources",
  );

  const first = String(await lists.execute({}, fakeToolContext()));
  const second = String(await lists.execute({ cursor: "p2" }, fakeToolContext()));

  expect(first).toContain("(3 more of this page were left out)");
  expect(first).toContain("template: file:///{path}");
  expect(first).toContain('(more with cursor "p2")');
  expect(second).toBe("file:///p20");
  expect(asked).toEqual(["resources/list", "resources/templates/list", "resources/list"]);
});

test("a list that is aborted while its templates are read is aborted, not shorter", async () => {
  const context = fakeToolContext();
  const lists = createExtraTool(
    hostOf((method) => {
      if (method === "resources/list") return { resources: [{ uri: "file:///a" }] };
      context.abort();
      return new Promise(() => {});
    }),
    "list_resources",
    "mcp__files__list_resources",
  );

  await expect(lists.execute({}, context)).rejects.toMatchObject({ code: "RUN_ABORTED" });
});

test("a picture is one in whichever letter case its type is written, also inside a resource", async () => {
  const data = "iVBORw0KGgo=";
  const image = { type: "image", mediaType: "image/png", data };

  expect(
    await readContent(
      [
        { type: "image", mimeType: "IMAGE/PNG", data },
        { type: "resource", mimeType: "text/plain", resource: { uri: "a", mimeType: "Image/Png", blob: data } },
      ],
      fakeToolContext(),
    ),
  ).toEqual([image, image]);
});
