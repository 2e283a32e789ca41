// Transcripts as files that scripts can read: beside each session that is kept anywhere, a JSONL in Claude Code's shape.
// Invariant: the session never depends on its file. A line is written once its entry is committed.
import { existsSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ContentPart } from "../contracts/content.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { AssistantPart } from "../contracts/message.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import type { Usage } from "../contracts/usage.js";
import { sha256 } from "../files/sha256.js";
import { checkOptions, type OptionTable, PATH, required, withMethods } from "../json/check-options.js";
import { theirInput, theirToolName } from "./dialect.js";

/** Options of `createTranscriptFiles()`. */
export interface TranscriptFileOptions {
  /** The store of the sessions. */
  readonly sessions: SessionStore;
  /** The directory of the files; made when the first is written. */
  readonly dir: string;
  /** The project's directory: `cwd` of each line, and what relative paths of tools start from. Default: the process's. */
  readonly cwd?: string | undefined;
}

/** Sessions with a transcript file that command hooks can read. */
export interface TranscriptFiles {
  /** The store, with a file beside each session: give it to the engine. */
  readonly sessions: SessionStore;
  /** The file of a session, also of a sub-agent's; `undefined` before its first entry. For `loadSettings` and `commandHook`. */
  transcriptPath(sessionId: string): string | undefined;
}

const OPTIONS = {
  sessions: required(withMethods("append", "read", "lock")),
  dir: required(PATH),
  cwd: PATH,
} satisfies OptionTable<TranscriptFileOptions>;

/**
 * Keeps a transcript file beside each session, for hook scripts that read `transcript_path`: one JSON object a line, `user`
 * and `assistant` messages with tool calls and results as Claude Code writes them, under its names of tools and fields.
 *
 * A file that cannot be written changes nothing about the session. A session that began without a file gets all of its past
 * with its next entry.
 *
 * @example
 * const { sessions, transcriptPath } = createTranscriptFiles({ sessions: createFileSessionStore({ dir }), dir: "transcripts" });
 * const settings = await loadSettings(root, { transcriptPath });
 */
export function createTranscriptFiles(options: TranscriptFileOptions): TranscriptFiles {
  checkOptions("createTranscriptFiles()", options, OPTIONS);
  const { sessions: inner, dir, cwd = process.cwd() } = options;
  const fileOf = (sessionId: string) => join(dir, `${fileName(sessionId)}.jsonl`);

  async function write(sessionId: string, entries: readonly SessionEntry[]): Promise<void> {
    const file = fileOf(sessionId);
    const isNew = !existsSync(file);
    await mkdir(dir, { recursive: true });
    const lines: JsonValue[] = [];
    const add = (entry: SessionEntry) => {
      const line = transcriptLine(entry, { sessionId, cwd });
      if (line) lines.push(line satisfies JsonObject);
    };
    // New entries are in the store already.
    if (isNew) for await (const entry of inner.read(sessionId)) add(entry);
    else for (const entry of entries) add(entry);
    await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  return {
    sessions: {
      append: async (id, entries) => {
        await inner.append(id, entries);
        await write(id, entries).catch(() => {}); // Scripts miss something; the session does not.
      },
      read: (id) => inner.read(id),
      lock: (id) => inner.lock(id),
      list: (filter) => inner.list(filter),
      async delete(id) {
        await inner.delete(id);
        await rm(fileOf(id), { force: true });
      },
    },
    transcriptPath: (sessionId) => (existsSync(fileOf(sessionId)) ? fileOf(sessionId) : undefined),
  };
}

/** Longer names, and those that differ in case alone, are distinguished by a digest. */
function fileName(sessionId: string): string {
  const name = encodeURIComponent(sessionId).replaceAll("*", "%2A");
  if (name.length <= 150 && /^[a-z0-9_-]+$/.test(name)) return name;
  return `${name.slice(0, 100)}-${sha256(sessionId).slice(0, 16)}`;
}

// ── one line of a transcript ─────────────────────────────────────────────────────────────────────────────────────────

interface LineContext {
  readonly sessionId: string;
  readonly cwd: string;
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  pause: "pause_turn",
  "content-filter": "refusal",
};

/** `null` for an entry that is neither a message nor a result. */
function transcriptLine(entry: SessionEntry, { sessionId, cwd }: LineContext): JsonObject | null {
  const said = messageOf(entry, cwd);
  if (!said) return null;
  const { id: uuid, parent: parentUuid, at } = entry;
  return {
    type: said.role!,
    uuid,
    parentUuid,
    sessionId,
    cwd,
    timestamp: new Date(at).toISOString(),
    isSidechain: sessionId.startsWith("sub-"),
    userType: "external",
    message: said,
  };
}

function messageOf(entry: SessionEntry, cwd: string): JsonObject | null {
  if (entry.type === "tool-result") {
    const { toolCallId, output, isError } = entry.result;
    const content = typeof output === "string" ? output : output.map(contentPart);
    return { role: "user", content: [{ type: "tool_result", tool_use_id: toolCallId, content, is_error: isError }] };
  }
  if (entry.type !== "message") return null;
  const { message } = entry;
  if (message.role === "user") {
    const [only] = message.content;
    const isText = message.content.length === 1 && only?.type === "text";
    return { role: "user", content: isText ? only.text : message.content.map(contentPart) };
  }
  return {
    role: "assistant",
    type: "message",
    model: message.model,
    content: message.content.map((part) => assistantPart(part, cwd)),
    stop_reason: STOP_REASONS[message.finishReason] ?? null,
    ...(message.usage && { usage: theirUsage(message.usage) }),
  };
}

function contentPart(part: ContentPart): JsonValue {
  if (part.type === "text") return { type: "text", text: part.text };
  const type = part.type === "image" ? "image" : "document";
  return { type, source: { type: "base64", media_type: part.mediaType, data: part.data } };
}

function assistantPart(part: AssistantPart, cwd: string): JsonValue {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "reasoning") return { type: "thinking", thinking: part.text };
  if (part.type !== "tool-call") return contentPart(part);
  const { id, name, arguments: args } = part;
  return { type: "tool_use", id, name: theirToolName(name), input: theirInput(name, args, cwd) };
}

function theirUsage({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
}
