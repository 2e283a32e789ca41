// An entry of a session as the page shows it. Nothing is taken for granted: whatever is not what its type promises
// becomes an entry of the type `unknown`, and no entry makes a page fail.
import type { PriceLookup } from "../../contracts/provider.js";
import type { Usage } from "../../contracts/usage.js";
import { PROGRAM_PROVIDER } from "../../engine/transcript/transcript.js";
import { fieldsOf, isObject } from "../../json/is-object.js";
import type { PageEntry, PagePart, PageRecord, PageUsage } from "./page-entry.js";
import type { PageText } from "./page-text.js";

/** Images of other types could hold scripts or are not shown by browsers. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Unit: characters of base64. */
const MAX_IMAGE_CHARS = 4_000_000;
const MAX_PARTS = 2_000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** The custom entry of a sub-agent in the background. */
const BACKGROUND = "loopwright.background";

type Fields = { readonly [name: string]: unknown };

/** Reads one entry. Never throws. */
export function pageEntryOf(entry: unknown, text: PageText, prices?: PriceLookup): PageEntry {
  const fields = fieldsOf(entry);
  const base = {
    id: text.short(fields.id),
    parent: fields.parent === null ? null : text.short(fields.parent),
    at: Math.round(number(fields.at)),
    run: text.short(fields.runId),
    turn: number(fields.turn),
  };
  try {
    return { ...base, ...(recordOf(fields, text, prices) ?? unknown(entry, fields, text)) };
  } catch {
    return { ...base, ...unknown(entry, fields, text) };
  }
}

function unknown(entry: unknown, { type }: Fields, text: PageText): PageRecord {
  return { type: "unknown", name: text.short(type), text: text.long(JSON.stringify(text.json(entry), null, 2)) };
}

/** `null` for what is not an entry of a known type. */
function recordOf(fields: Fields, text: PageText, prices?: PriceLookup): PageRecord | null {
  switch (fields.type) {
    case "message":
      return messageOf(fieldsOf(fields.message), listOf(fields.descriptions), text, prices);
    case "tool-start":
      return { type: "tool-start", callId: text.short(fields.toolCallId) };
    case "tool-result":
      return isObject(fields.result) ? resultOf(fields.result, fields, text) : null;
    case "pending":
      return isObject(fields.request) ? pendingOf(fields.request, fields.via, text) : null;
    case "answer":
      return isObject(fields.answer) ? answerOf(fields.answer, text) : null;
    case "view-edit":
      return compactionOf(fields, text);
    case "epoch":
      return {
        type: "epoch",
        cause: text.short(fields.cause),
        system: listOf(fields.system).map((one) => ({ id: text.short(one.id), text: text.long(one.text) })),
        tools: listOf(fields.tools).map((one) => ({
          name: text.short(one.name),
          description: text.short(one.description),
        })),
      };
    case "run-start":
      return { type: "run-start" };
    case "run-end":
      return { type: "run-end", status: text.short(fields.status), usage: usageOf(fields.usage) };
    case "custom": {
      const agent = fields.name === BACKGROUND ? fieldsOf(fields.data).id : undefined;
      return {
        type: "custom",
        name: text.short(fields.name),
        data: text.json(fields.data),
        ...(typeof agent === "string" && { agent }),
      };
    }
    default:
      return null;
  }
}

function messageOf(
  message: Fields,
  descriptions: readonly Fields[],
  text: PageText,
  prices?: PriceLookup,
): PageRecord | null {
  if (!Array.isArray(message.content)) return null;
  const parts = partsOf(message.content, text).map((part) => withTitle(part, descriptions, text));
  if (message.role === "user") return { type: "user", origin: text.short(message.origin ?? "user"), parts };
  if (message.role !== "assistant") return null;
  const [provider, model] = [text.short(message.provider), text.short(message.model)];
  const usage = usageOf(message.usage);
  return {
    type: "assistant",
    parts,
    finish: text.short(message.finishReason),
    model: provider === "" || model.startsWith(provider) ? model : `${provider}/${model}`,
    usage,
    ...(provider === PROGRAM_PROVIDER && { isOfTool: true as const }),
    costUsd: usage && prices ? priceOf(prices, { provider, model }, message.usage as Usage) : null,
  };
}

/** A command line, where the call runs one, says more than the title. */
function withTitle(part: PagePart, descriptions: readonly Fields[], text: PageText): PagePart {
  if (part.type !== "call") return part;
  const { command, title } = descriptions.find((one) => text.short(one.toolCallId) === part.id) ?? {};
  const shown = text.short(command ?? title);
  return shown === "" ? part : { ...part, title: shown };
}

function priceOf(prices: PriceLookup, model: { provider: string; model: string }, usage: Usage): number | null {
  const costUsd: unknown = prices(model, usage);
  return typeof costUsd === "number" && Number.isFinite(costUsd) ? costUsd : null;
}

function resultOf(result: Fields, { calls, label }: Fields, text: PageText): PageRecord {
  const details = fieldsOf(result.details);
  const artifact = fieldsOf(result.artifact);
  const { output } = result;
  return {
    type: "tool-result",
    callId: text.short(result.toolCallId),
    name: text.short(result.name),
    status: text.short(result.status),
    isError: result.isError === true,
    durationMs: number(result.durationMs),
    parts: Array.isArray(output) ? partsOf(output, text) : [{ type: "text", text: text.long(output) }],
    details: text.json(result.details),
    ...(typeof details.diff === "string" && { diff: text.long(details.diff) }),
    ...(typeof artifact.path === "string" && {
      artifact: { path: text.short(artifact.path), bytes: number(artifact.bytes) },
    }),
    ...(typeof details.id === "string" && details.id.startsWith("sub-") && { agent: details.id }),
    ...(typeof calls === "string" && { calls }),
    ...(isObject(label) && label.integrity === "untrusted" && { outside: outsideOf(label, text) }),
  };
}

/** A session from elsewhere may name any number of them. */
const MAX_PLACES = 32;

/** The places that others may have written to. */
function outsideOf({ sources }: Fields, text: PageText): readonly string[] {
  const others = listOf(sources).filter(({ untrusted }) => untrusted === true);
  return others.slice(0, MAX_PLACES).map(({ kind, name }) => text.short(`${String(kind)}:${String(name)}`));
}

/** The places that an answer may declare to be the user's own words. */
function becauseOf({ suggestions }: Fields, text: PageText): readonly string[] {
  const places = listOf(suggestions).flatMap(({ type, sources }) => {
    return type === "trustSources" && Array.isArray(sources) ? sources : [];
  });
  return places.slice(0, MAX_PLACES).map((place) => text.short(String(place)));
}

function pendingOf(request: Fields, via: unknown, text: PageText): PageRecord {
  const path = Array.isArray(request.agentPath) ? request.agentPath : [];
  return {
    type: "pending",
    requestId: text.short(request.id),
    callId: text.short(via ?? request.toolCallId),
    kind: text.short(request.kind),
    tool: text.short(request.tool),
    reason: text.long(request.reason),
    because: becauseOf(request, text),
    input: text.json(request.input),
    agentPath: text.short(path.slice(0, 20).map(String).join(" → ")),
  };
}

function answerOf(answer: Fields, text: PageText): PageRecord {
  return {
    type: "answer",
    requestId: text.short(answer.id),
    by: text.short(answer.by),
    decision: text.short(answer.decision ?? "answered"),
    reason: text.long(answer.reason),
    ...(answer.value !== undefined && { value: text.json(answer.value) }),
    ...(answer.updatedInput !== undefined && { value: text.json(answer.updatedInput) }),
  };
}

function compactionOf(fields: Fields, text: PageText): PageRecord {
  const report = fieldsOf(fields.report);
  return {
    type: "compaction",
    stage: text.short(report.stage ?? fields.stage),
    before: number(report.beforeTokens),
    after: number(report.afterTokens),
    removedTurns: number(report.removedTurns),
    durationMs: number(report.durationMs),
    costUsd: typeof report.costUsd === "number" ? report.costUsd : null,
    replacement: listOf(fields.replacement).map((message) => ({
      role: text.short(message.role),
      parts: Array.isArray(message.content) ? partsOf(message.content, text) : [],
    })),
  };
}

function partsOf(content: readonly unknown[], text: PageText): PagePart[] {
  const parts = content.slice(0, MAX_PARTS).map((part) => partOf(fieldsOf(part), part, text));
  const more = content.length - parts.length;
  return more > 0 ? [...parts, { type: "unknown", text: `[${more} more parts]` }] : parts;
}

function partOf(part: Fields, raw: unknown, text: PageText): PagePart {
  switch (part.type) {
    case "reasoning": {
      const { name, input, output } = fieldsOf(part.serverTool);
      if (name === undefined) return { type: part.type, text: text.long(part.text) };
      const call = input === undefined ? "" : ` ${JSON.stringify(text.json(input))}`;
      const found = output === undefined ? "" : `\n\n${text.long(output)}`;
      return { type: part.type, text: `The server's tool ${text.short(name)}${call}${found}` };
    }
    case "text":
      return { type: part.type, text: text.long(part.text) };
    case "tool-call": {
      const input = part.malformed === undefined ? text.json(part.arguments) : text.long(part.malformed);
      return { type: "call", id: text.short(part.id), name: text.short(part.name), input };
    }
    case "tool-result":
      return { type: "text", text: text.long(part.output) };
    case "image":
    case "file": {
      const data = typeof part.data === "string" ? part.data : "";
      const mediaType = text.short(part.mediaType);
      const isShown = IMAGE_TYPES.has(mediaType) && data.length <= MAX_IMAGE_CHARS && BASE64.test(data);
      if (part.type === "image" && isShown) return { type: "image", mediaType, data };
      return { type: "file", mediaType, name: text.short(part.name), chars: data.length };
    }
    default:
      return { type: "unknown", text: text.long(JSON.stringify(text.json(raw))) };
  }
}

function usageOf(usage: unknown): PageUsage | null {
  if (!isObject(usage)) return null;
  return {
    input: number(usage.inputTokens),
    output: number(usage.outputTokens),
    cacheRead: number(usage.cacheReadTokens),
    cacheWrite: number(usage.cacheWriteTokens),
    reasoning: number(usage.reasoningTokens),
  };
}

/** A time, count or duration. What is not a number, or not one that can be drawn, counts as none. */
function number(value: unknown): number {
  return typeof value === "number" && value >= 0 && value < 1e15 ? value : 0;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS).map(fieldsOf) : [];
}
