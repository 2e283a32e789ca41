// A server's resources and prompts, as tools.
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject } from "../../contracts/json.js";
import type { BaseTool, ToolContext } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { isObject } from "../../json/is-object.js";
import { closedObjectSchema } from "../../schema/input-schema.js";
import { clip } from "../../text/cut.js";
import { visibleText } from "./listing.js";
import { mcpFailed } from "./mcp-errors.js";
import { type CallTarget, request } from "./remote-call.js";
import { membersOf, type ToolHost } from "./remote-tool.js";
import { describeLink, readContent, readResource } from "./tool-content.js";

/** The tools a server's resources become, by the names they have among its tools. */
export const RESOURCE_TOOLS = ["list_resources", "read_resource"] as const;
/** The tools a server's prompts become, by the names they have among its tools. */
export const PROMPT_TOOLS = ["list_prompts", "get_prompt"] as const;

/** Items of one list that a model is shown; `cursor` leads to the rest. */
const MAX_LISTED = 200;
const MAX_LINE_CHARS = 600;
const MAX_PAGES = 10;

/** Makes one of them. */
export function createExtraTool(host: ToolHost, kind: string, name: string): BaseTool {
  switch (kind) {
    case "list_resources":
      return listTool(host, name, "resources", "Lists the resources of", describeLink);
    case "list_prompts":
      return listTool(host, name, "prompts", "Lists the prompts of", describePrompt);
    case "read_resource":
      return defineTool<{ uri: string }>({
        ...membersOf(host),
        name,
        description: `Reads a resource of the MCP server "${host.server}" by its URI.`,
        input: closedObjectSchema({ uri: { type: "string" } }, ["uri"]),
        describe: ({ uri = "a resource" }) => ({ title: `${host.server}: Read ${uri}`, kind: "read" }),
        execute: ({ uri }, context) => readOne(host, uri, context),
      });
    default:
      return defineTool<{ name: string; arguments?: Record<string, string> }>({
        ...membersOf(host),
        name,
        description: `Gets the messages of a prompt of the MCP server "${host.server}".`,
        input: closedObjectSchema(
          { name: { type: "string" }, arguments: { type: "object", additionalProperties: { type: "string" } } },
          ["name"],
        ),
        describe: ({ name = "a prompt" }) => ({ title: `${host.server}: Get ${name}`, kind: "read" }),
        execute: (input, context) => getPrompt(host, input as JsonObject, context),
      });
  }
}

/** The addresses of a server's resources, of the first pages of its list; none where it has no resources. */
export async function resourceUris(target: CallTarget, signal: AbortSignal): Promise<readonly string[]> {
  const uris: string[] = [];
  let cursor: unknown;
  for (let page = 0; target.link.hasResources && page < MAX_PAGES; page++) {
    const params: JsonObject = typeof cursor === "string" ? { cursor } : {};
    const { resources, nextCursor } = await request(target, "resources/list", params, { signal, progress: () => {} });
    for (const { uri } of Array.isArray(resources) ? resources.filter(isObject) : []) {
      if (typeof uri === "string" && uri.length <= MAX_LINE_CHARS) uris.push(visibleText(uri));
    }
    if (typeof nextCursor !== "string" || uris.length >= MAX_LISTED) break;
    cursor = nextCursor;
  }
  return uris.slice(0, MAX_LISTED);
}

function listTool(
  host: ToolHost,
  name: string,
  list: "resources" | "prompts",
  verb: string,
  describe: (item: Record<string, unknown>) => string,
): BaseTool {
  return defineTool<{ cursor?: string }>({
    ...membersOf(host),
    name,
    description: `${verb} the MCP server "${host.server}", a page at a time.`,
    input: closedObjectSchema({ cursor: { type: "string", description: "From the page before." } }, []),
    describe: () => ({ title: `${host.server}: List ${list}`, kind: "read" }),
    async execute({ cursor }, context) {
      const page = await request(host.target(), `${list}/list`, cursor === undefined ? {} : { cursor }, context);
      const templates =
        list === "resources" && cursor === undefined ? await listTemplates(host, context) : ([] as string[]);
      const items = page[list];
      if (!Array.isArray(items)) throw mcpFailed(host.server, `sent a list of ${list} that is not a list.`);
      const lines = items
        .filter(isObject)
        .slice(0, MAX_LISTED)
        .map((item) => lineOf(describe(item)));
      const left = items.length - lines.length;
      if (left > 0) lines.push(`(${left} more of this page were left out)`);
      lines.push(...templates);
      if (typeof page.nextCursor === "string") lines.push(`(more with cursor ${JSON.stringify(page.nextCursor)})`);
      return lines.length === 0 ? `There are no ${list}.` : lines.join("\n");
    },
  });
}

/** Many servers have no templates and say so with an error. */
async function listTemplates(host: ToolHost, context: ToolContext): Promise<string[]> {
  try {
    const { resourceTemplates } = await request(host.target(), "resources/templates/list", {}, context);
    if (!Array.isArray(resourceTemplates)) return [];
    const lines = resourceTemplates.filter(isObject).map((each) => describeLink({ ...each, uri: each.uriTemplate }));
    return lines.slice(0, MAX_LISTED).map((line) => lineOf(`template: ${line}`));
  } catch (error) {
    if (context.signal.aborted) throw error;
    return [];
  }
}

function describePrompt({ name, title, description, arguments: args }: Record<string, unknown>): string {
  const wanted = (Array.isArray(args) ? args : [])
    .filter(isObject)
    .map((each) => `${String(each.name)}${each.required === true ? "" : "?"}`)
    .join(", ");
  const about = [title, description].filter((each) => typeof each === "string" && each !== "").join(". ");
  return `${String(name)}(${wanted})${about === "" ? "" : `: ${about}`}`;
}

function lineOf(text: string): string {
  return clip(visibleText(text).replace(/\s+/g, " ").trim(), MAX_LINE_CHARS);
}

async function readOne(host: ToolHost, uri: string, context: ToolContext) {
  const { contents } = await request(host.target(), "resources/read", { uri }, context);
  if (!Array.isArray(contents)) throw mcpFailed(host.server, "sent a resource without contents.");
  if (contents.length === 0) {
    throw new ToolError("MCP_FAILED", {
      message: `The resource "${clip(uri, 200)}" of the MCP server "${host.server}" is empty.`,
    });
  }
  const [only] = contents;
  if (contents.length === 1 && isObject(only) && typeof only.blob === "string") {
    return { output: await readContent([{ type: "resource", resource: only }], context) };
  }
  const texts: string[] = [];
  for (const each of contents.filter(isObject)) texts.push(await readResource(each, context));
  return texts.join("\n\n");
}

async function getPrompt(host: ToolHost, input: JsonObject, context: ToolContext) {
  const { messages, description } = await request(host.target(), "prompts/get", input, context);
  if (!Array.isArray(messages)) throw mcpFailed(host.server, "sent a prompt without messages.");
  const texts = typeof description === "string" ? [description] : [];
  for (const { role, content } of messages.filter(isObject)) {
    const text = await readContent([content], { artifacts: context.artifacts, sessionId: context.sessionId });
    texts.push(`${String(role)}: ${typeof text === "string" ? text : "[An image.]"}`);
  }
  return texts.join("\n\n");
}
