// Sessions of pi: a header, then entries in a tree by `id` and `parentId`; the oldest version is one list.
import { type Fields, fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import {
  type ForeignPart,
  type ForeignPast,
  type ForeignStep,
  foreignContent,
  foreignInput,
  foreignOutput,
  jsonLinesOf,
  pathTo,
  timeIn,
  Untaken,
  usageOfTokens,
} from "./foreign-past.js";

/** Whether a first line is that of pi. */
export function isPi(line: Fields): boolean {
  return line.type === "session" && typeof line.id === "string" && typeof line.cwd === "string";
}

/** Never throws: what cannot be taken is counted. */
export function readPi(text: string): ForeignPast {
  const leftOut = new Untaken();
  const [header, ...entries] = jsonLinesOf(text, leftOut);
  const isTree = entries.some(({ id }) => typeof id === "string");
  const byId = new Map(entries.map((entry) => [stringOf(entry.id), entry]));
  const path = isTree ? pathTo(entries.at(-1), byId, (entry) => stringOf(entry.parentId)) : entries;
  if (path.length < entries.length) leftOut.add("entry of another branch", entries.length - path.length);
  const steps = path.flatMap((entry) => stepsOf(entry, leftOut));
  return { format: "pi", id: stringOf(header?.id), steps, leftOut };
}

function stepsOf(entry: Fields, leftOut: Untaken): ForeignStep[] {
  const at = timeIn(entry.timestamp);
  const id = stringOf(entry.id);
  switch (entry.type) {
    case "message":
      return messageSteps(fieldsOf(entry.message), { at, id }, leftOut);
    case "compaction":
      return [{ kind: "summary", at, id, text: stringOf(entry.summary), keptFrom: stringOf(entry.firstKeptEntryId) }];
    case "branch_summary":
      return said(entry.summary, { at, id }, leftOut);
    case "custom_message":
      return said(entry.content, { at, id }, leftOut);
    default:
      leftOut.add(stringOf(entry.type) || "line of no type");
      return [];
  }
}

interface Place {
  readonly at: number;
  readonly id: string;
}

function image({ mimeType: mediaType, data }: Fields): { readonly mediaType: unknown; readonly data: unknown } {
  return { mediaType, data };
}

/** Text that the program brought in. */
function said(given: unknown, place: Place, leftOut: Untaken): ForeignStep[] {
  const content = foreignContent(given, leftOut, image);
  return content.length === 0 ? [] : [{ kind: "user", ...place, content, origin: "reminder" }];
}

function messageSteps(message: Fields, place: Place, leftOut: Untaken): ForeignStep[] {
  switch (message.role) {
    case "user": {
      const content = foreignContent(message.content, leftOut, image);
      return content.length === 0 ? [] : [{ kind: "user", ...place, content }];
    }
    case "assistant": {
      const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
      const { input, output, cacheRead, cacheWrite } = fieldsOf(message.usage);
      return [
        {
          kind: "assistant",
          ...place,
          reply: place.id || String(place.at),
          parts: blocks.flatMap((block) => partOf(block, stringOf(message.api), leftOut)),
          provider: stringOf(message.provider) || "unknown",
          model: stringOf(message.model) || "unknown",
          usage: usageOfTokens({ input, output, cacheRead, cacheWrite }),
        },
      ];
    }
    case "toolResult": {
      const output = foreignOutput(foreignContent(message.content, leftOut, image));
      const callId = stringOf(message.toolCallId);
      return [{ kind: "result", ...place, callId, output, isError: message.isError === true }];
    }
    case "bashExecution":
      if (message.excludeFromContext === true) break;
      return said(`The user ran \`${stringOf(message.command)}\`:\n${stringOf(message.output)}`, place, leftOut);
    case "custom":
    case "hookMessage":
      return said(message.content, place, leftOut);
    case "branchSummary":
      return said(message.summary, place, leftOut);
    case "compactionSummary":
      return [{ kind: "summary", ...place, text: stringOf(message.summary) }];
  }
  leftOut.add(`message of role ${stringOf(message.role)}`);
  return [];
}

function partOf(block: Fields, api: string, leftOut: Untaken): ForeignPart[] {
  switch (block.type) {
    case "text":
      return [{ kind: "text", text: stringOf(block.text) }];
    case "thinking": {
      // Other servers' marks are written in other ways: without one, thinking stays behind.
      const signature = api === "anthropic-messages" ? stringOf(block.thinkingSignature) : "";
      return [{ kind: "thinking", text: stringOf(block.thinking), data: signature === "" ? undefined : { signature } }];
    }
    case "toolCall":
      return [
        { kind: "call", id: stringOf(block.id), name: stringOf(block.name), input: foreignInput(block.arguments) },
      ];
    default:
      leftOut.add(`content ${stringOf(block.type) || "of no type"}`);
      return [];
  }
}
