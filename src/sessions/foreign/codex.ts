// Rollouts of Codex: a header, then items of the Responses API, each in an envelope `{timestamp, type, payload}`. The oldest
// have no envelope.
import type { JsonObject } from "../../contracts/json.js";
import { type Fields, fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import {
  type ForeignPart,
  type ForeignPast,
  type ForeignStep,
  foreignContent,
  foreignInput,
  foreignOutput,
  jsonLinesOf,
  mediaInUrl,
  timeIn,
  Untaken,
} from "./foreign-past.js";

/** Whether a first line is a rollout's. */
export function isCodex(line: Fields): boolean {
  if (line.type === "session_meta" && isObject(line.payload)) return true;
  return line.type === undefined && typeof line.id === "string" && "timestamp" in line && "instructions" in line;
}

/** Texts that Codex itself puts in the place of the user: they describe another program. */
const OWN_CONTEXT =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills_instructions|apps_instructions|plugins_instructions|collaboration_mode|model_switch|personality_spec)\b|# AGENTS\.md instructions)/;

/** Never throws: what cannot be taken is counted. */
export function readCodex(text: string): ForeignPast {
  return new Rollout().read(text);
}

class Rollout {
  readonly #leftOut = new Untaken();
  readonly #steps: ForeignStep[] = [];
  #id: string | undefined;
  #provider = "openai";
  #model = "unknown";
  /** Items of the model between two results are one message. */
  #reply = 0;

  read(text: string): ForeignPast {
    for (const line of jsonLinesOf(text, this.#leftOut)) this.#take(line);
    return { format: "codex", id: this.#id ?? "session", steps: this.#steps, leftOut: this.#leftOut };
  }

  #take(line: Fields): void {
    const at = timeIn(line.timestamp);
    const isBare = line.payload === undefined;
    const payload = isBare ? line : fieldsOf(line.payload);
    const type = isBare && line.type !== undefined ? "response_item" : line.type;
    switch (type) {
      case undefined:
        if (this.#id === undefined && typeof line.id === "string") this.#id = line.id;
        else this.#leftOut.add(stringOf(line.record_type) || "line of no type");
        return;
      case "session_meta":
        // The id of a fork is followed by that of its origin.
        this.#id ??= stringOf(payload.id) || undefined;
        this.#provider = stringOf(payload.model_provider) || this.#provider;
        return;
      case "turn_context":
        this.#model = stringOf(payload.model) || this.#model;
        return;
      case "response_item":
        this.#takeItem(payload, at);
        return;
      case "compacted":
        this.#compact(payload, at);
        return;
      case "event_msg":
        if (payload.type === "thread_rolled_back") this.#rollBack(Number(payload.num_turns));
        else this.#leftOut.add(`event ${stringOf(payload.type)}`);
        return;
      default:
        this.#leftOut.add(stringOf(type) || "line of no type");
    }
  }

  #takeItem(item: Fields, at: number): void {
    const steps = this.#steps;
    const image = (block: Fields) => mediaInUrl(block.image_url);
    switch (item.type) {
      case "message": {
        const content = foreignContent(item.content, this.#leftOut, image);
        if (item.role === "assistant") {
          const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
          this.#say({ kind: "text", text: texts.join("\n") }, at);
          return;
        }
        const [first] = content;
        const isOwn = item.role !== "user" || (first?.type === "text" && OWN_CONTEXT.test(first.text));
        if (isOwn) this.#leftOut.add("instructions of the program");
        else if (first) steps.push({ kind: "user", at, content });
        this.#reply++;
        return;
      }
      case "reasoning": {
        const summary = Array.isArray(item.summary) ? item.summary : [];
        const text = summary.map((part: unknown) => stringOf(fieldsOf(part).text)).join("\n\n");
        const encrypted = stringOf(item.encrypted_content);
        this.#say({ kind: "thinking", text, data: encrypted === "" ? undefined : withId({ encrypted }, item.id) }, at);
        return;
      }
      case "function_call":
        this.#call(item, foreignInput(item.arguments), at);
        return;
      case "custom_tool_call":
        this.#call(item, { input: stringOf(item.input) }, at);
        return;
      case "local_shell_call":
        this.#call({ ...item, name: "local_shell" }, foreignInput(item.action), at);
        return;
      case "function_call_output":
      case "custom_tool_call_output":
        this.#answer(item, at);
        return;
      default:
        this.#leftOut.add(`item ${stringOf(item.type)}`);
    }
  }

  #say(part: ForeignPart, at: number): void {
    const about = { provider: this.#provider, model: this.#model, reply: String(this.#reply) };
    this.#steps.push({ kind: "assistant", at, parts: [part], ...about });
  }

  #call(item: Fields, input: ReturnType<typeof foreignInput>, at: number): void {
    this.#say({ kind: "call", id: stringOf(item.call_id) || stringOf(item.id), name: stringOf(item.name), input }, at);
  }

  /** Output was text, `{content, success}`, or a list of pieces, by version; the text may be that object as JSON. */
  #answer(item: Fields, at: number): void {
    const given = isObject(item.output) ? item.output : undefined;
    const content = foreignContent(given ? given.content : item.output, this.#leftOut, (block) =>
      mediaInUrl(block.image_url),
    );
    const callId = stringOf(item.call_id);
    this.#steps.push({ kind: "result", at, callId, output: foreignOutput(content), isError: given?.success === false });
    this.#reply++;
  }

  #compact(payload: Fields, at: number): void {
    const kept = Array.isArray(payload.replacement_history) ? payload.replacement_history : [];
    this.#reply++;
    // What the server has summed up for itself alone: without it, only the whole conversation says what was done.
    if (!payload.message && kept.some((item: unknown) => fieldsOf(item).encrypted_content !== undefined)) {
      this.#leftOut.add("encrypted compaction");
      return;
    }
    const texts = kept.flatMap((item: unknown) =>
      foreignContent(fieldsOf(item).content, this.#leftOut, () => ({ mediaType: null, data: null })).flatMap((part) =>
        part.type === "text" && !OWN_CONTEXT.test(part.text) ? part.text : [],
      ),
    );
    const text = stringOf(payload.message) || texts.join("\n\n");
    if (text !== "") this.#steps.push({ kind: "summary", at, text });
  }

  #rollBack(turns: number): void {
    for (let left = turns; left > 0; left--) {
      const at = this.#steps.findLastIndex(({ kind }) => kind === "user");
      if (at < 0) return;
      this.#leftOut.add("step that was rolled back", this.#steps.length - at);
      this.#steps.length = at;
    }
  }
}

function withId(data: JsonObject, id: unknown): JsonObject {
  return typeof id === "string" ? { id, ...data } : data;
}
