/*
 * A question of a run, put to the person at the editor. An approval is a permission request: once, always with the rule it would
 * add, or no. A question is a form where the editor shows forms, and a choice where it has options; for one that wants words, and an
 * editor without forms, there is no request in the protocol, and `null` is returned.
 */
import type {
  CreateElicitationResponse,
  ElicitationSchema,
  PermissionOption,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionUpdate } from "../../contracts/permission.js";
import type { ClientSide } from "../client-side.js";
import { lookOf } from "../updates/call-look.js";
import { inPlace } from "../updates/call-place.js";
import { textContent } from "../updates/result-content.js";
import type { SessionView } from "../updates/session-view.js";

type Reply = PermissionOption & { readonly answer: Answer };

export interface Asking {
  readonly client: ClientSide;
  readonly view: SessionView;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** `null`: the editor cannot ask this, or has cancelled. Rejects when the connection is lost. */
export async function askClient(request: PendingRequest, asking: Asking): Promise<Answer | null> {
  if (request.kind === "approval") return choose(request, approvalReplies(request), asking);
  if (asking.client.editor.showsForms) return askForm(request, asking);
  const replies = questionReplies(request);
  return replies ? choose(request, replies, asking) : null;
}

async function choose(request: PendingRequest, replies: readonly Reply[], asking: Asking): Promise<Answer | null> {
  const { client, view, cwd, signal } = asking;
  const { input, description } = request;
  const { id: toolCallId, updates } = await view.callOf(request);
  for (const update of updates) await client.update(update);
  const { title, ...look } = lookOf({ name: request.tool, input, description }, cwd);
  const shown = view.contentOf(toolCallId);
  const content = [...(shown.length > 0 ? shown : look.content), textContent(request.reason)];
  const place = inPlace(title, { agentPath: request.agentPath, within: request.within?.toolCallId });
  const { outcome } = await client.request<RequestPermissionResponse>(
    "session/request_permission",
    {
      toolCall: { toolCallId, ...look, title: place.title, content, status: "pending", rawInput: input },
      options: replies.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
    },
    signal,
  );
  if (outcome.outcome !== "selected") return null;
  // An option that was not offered is not an approval.
  const { optionId } = outcome;
  return (
    replies.find((reply) => reply.optionId === optionId)?.answer ?? deny(request, "The editor's answer is unknown.")
  );
}

/** In the order of the terminal's answers, since editors number them by their place. */
function approvalReplies(request: PendingRequest): Reply[] {
  const { id, suggestions } = request;
  const by = "editor";
  const always = suggestions.map(
    (update, index): Reply => ({
      optionId: `allow_always_${index}`,
      kind: "allow_always",
      name: `Always allow ${describeUpdate(update)}`,
      answer: { id, by, decision: "allow", remember: [update] },
    }),
  );
  const never = suggestions.flatMap((update, index): Reply[] => {
    if (update.type !== "addRules" || update.behavior !== "allow") return [];
    const remember: PermissionUpdate[] = [{ ...update, behavior: "deny" }];
    const name = `Always reject ${describeUpdate(update)}`;
    return [
      { optionId: `reject_always_${index}`, kind: "reject_always", name, answer: { ...deny(request), remember } },
    ];
  });
  return [
    { optionId: "allow_once", kind: "allow_once", name: "Allow", answer: { id, by, decision: "allow" } },
    { optionId: "reject_once", kind: "reject_once", name: "Reject", answer: deny(request) },
    ...always,
    ...never,
  ];
}

function deny({ id }: PendingRequest, reason?: string): Extract<Answer, { decision: string }> {
  return { id, by: "editor", decision: "deny", ...(reason !== undefined && { reason }) };
}

function describeUpdate(update: PermissionUpdate): string {
  switch (update.type) {
    case "setMode":
      return `(mode ${update.mode})`;
    case "addDirectories":
    case "removeDirectories":
      return update.directories.join(", ");
    case "trustSources":
      return `what ${update.sources.join(", ")} says, for this task`;
    default:
      return update.rules.join(", ");
  }
}

/** The answers a question offers; `undefined` when it offers none. */
function questionReplies(request: PendingRequest): Reply[] | undefined {
  const options = optionsOf(request);
  if (options.length === 0) return undefined;
  const replies = options.map(
    (name, index): Reply => ({
      optionId: `answer_${index}`,
      kind: "allow_once",
      name,
      answer: { id: request.id, by: "editor", value: name },
    }),
  );
  return [...replies, { optionId: "skip", kind: "reject_once", name: "Skip", answer: deny(request) }];
}

function optionsOf({ input }: PendingRequest): string[] {
  const { options } = Object(input) as { options?: unknown };
  return Array.isArray(options) ? options.filter((each): each is string => typeof each === "string") : [];
}

async function askForm(request: PendingRequest, { client, view, signal }: Asking): Promise<Answer | null> {
  const { id: toolCallId, updates } = await view.callOf(request);
  for (const update of updates) await client.update(update);
  const schema = request.kind === "elicitation" ? schemaOf(request) : undefined;
  const response = await client.request<CreateElicitationResponse>(
    "elicitation/create",
    { mode: "form", toolCallId, message: request.reason, requestedSchema: schema ?? questionForm(request) },
    signal,
  );
  if (response.action === "cancel") return null;
  if (response.action !== "accept") return deny(request, "The user did not want to answer.");
  const content = (response.content ?? {}) as { readonly [name: string]: JsonValue };
  if (schema) return { id: request.id, by: "editor", value: content };
  const value = [content.answer, content.choice].find((each) => typeof each === "string" && each.trim() !== "");
  return value === undefined ? deny(request, "The answer is empty.") : { id: request.id, by: "editor", value };
}

/** The form of an MCP server's question: the plain properties of an object. */
function schemaOf({ input }: PendingRequest): ElicitationSchema | undefined {
  const { type, properties, requestedSchema } = Object(input) as Record<string, unknown>;
  if (typeof requestedSchema === "object" && requestedSchema !== null) return requestedSchema as ElicitationSchema;
  return type === "object" && typeof properties === "object" ? (input as unknown as ElicitationSchema) : undefined;
}

function questionForm(request: PendingRequest): ElicitationSchema {
  const options = optionsOf(request);
  const { free_text: isFree = true } = Object(request.input) as { free_text?: unknown };
  const answer = { type: "string", title: options.length > 0 ? "Your own answer" : "Answer" } as const;
  if (options.length === 0) return { type: "object", properties: { answer }, required: ["answer"] };
  const choice = { type: "string", title: "Answer", enum: options } as const;
  if (isFree === false) return { type: "object", properties: { choice }, required: ["choice"] };
  return { type: "object", properties: { choice, answer } };
}

/** A question as a text, for what cannot be asked in any other way. */
export function askInWords({ kind, reason, tool }: PendingRequest): string {
  if (kind === "question") return `\n\n${reason}`;
  return `\n\nWaiting for your approval of ${tool}: ${reason}\nYour next message continues without it.`;
}
