import type { JsonObject } from "../../contracts/json.js";
import type { ChatAnswer } from "./chat-chunks.js";
import { cutIntoPieces } from "./wire-pieces.js";

/**
 * The events of an answer in the wire format of OpenAI's responses API: reasoning as a summary, a message, calls. A finish
 * reason of `"length"` or `"content_filter"` makes the response incomplete; `null` leaves out its end.
 */
export function responseEvents(answer: ChatAnswer): JsonObject[] {
  const {
    reasoning = "",
    text = "",
    images = [],
    toolCalls = [],
    usage,
    pieceSize = Number.POSITIVE_INFINITY,
  } = answer;
  const output: JsonObject[] = [];
  const events: JsonObject[] = [];
  const head = { id: "resp_1", object: "response", created_at: 0, model: answer.model ?? "fault-model" };
  const emit = (type: string, fields: JsonObject) => {
    events.push({ type: `response.${type}`, sequence_number: events.length, ...fields });
  };
  const addItem = (begun: JsonObject, done: JsonObject, stream: (place: JsonObject) => void) => {
    const place = { output_index: output.length, item_id: begun.id! };
    emit("output_item.added", { output_index: place.output_index, item: { ...begun, status: "in_progress" } });
    stream(place);
    const item = { ...begun, ...done, status: "completed" };
    emit("output_item.done", { output_index: place.output_index, item });
    output.push(item);
  };

  emit("created", { response: { ...head, status: "in_progress", output: [] } });
  if (reasoning !== "") {
    const summary = [{ type: "summary_text", text: reasoning }];
    addItem({ id: "rs_1", type: "reasoning", summary: [] }, { summary, encrypted_content: "ZW5jcnlwdGVk" }, (place) => {
      emit("reasoning_summary_part.added", { ...place, summary_index: 0, part: { type: "summary_text", text: "" } });
      for (const delta of cutIntoPieces(reasoning, pieceSize)) {
        emit("reasoning_summary_text.delta", { ...place, summary_index: 0, delta });
      }
      emit("reasoning_summary_text.done", { ...place, summary_index: 0, text: reasoning });
    });
  }
  if (text !== "") {
    const content = [{ type: "output_text", text, annotations: [] }];
    addItem({ id: "msg_1", type: "message", role: "assistant", content: [] }, { content }, (place) => {
      emit("content_part.added", {
        ...place,
        content_index: 0,
        part: { type: "output_text", text: "", annotations: [] },
      });
      for (const delta of cutIntoPieces(text, pieceSize))
        emit("output_text.delta", { ...place, content_index: 0, delta });
      emit("output_text.done", { ...place, content_index: 0, text });
      emit("content_part.done", { ...place, content_index: 0, part: content[0]! });
    });
  }
  for (const [n, { mediaType, data: result }] of images.entries()) {
    const image = { id: `ig_${n + 1}`, type: "image_generation_call", output_format: mediaType.replace("image/", "") };
    addItem(image, { result }, (place) => {
      emit("image_generation_call.generating", place);
      for (const index of [0, 1, 2]) {
        const partial = { partial_image_index: index, partial_image_b64: result };
        emit("image_generation_call.partial_image", { ...place, ...partial });
      }
      emit("image_generation_call.completed", place);
    });
  }
  for (const [n, call] of toolCalls.entries()) {
    const { id = `call_${n + 1}`, name } = call;
    const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const item = { id: `fc_${n + 1}`, type: "function_call", call_id: id, name, arguments: "" };
    addItem(item, { arguments: json }, (place) => {
      for (const delta of cutIntoPieces(json, pieceSize)) emit("function_call_arguments.delta", { ...place, delta });
      emit("function_call_arguments.done", { ...place, arguments: json });
    });
  }
  if (answer.finishReason === null) return events;
  const reason = INCOMPLETE[answer.finishReason ?? ""];
  const status = reason ? "incomplete" : "completed";
  const end = { ...head, status, output, incomplete_details: reason ? { reason } : null, usage: usage ?? null };
  emit(status, { response: end });
  return events;
}

const INCOMPLETE: Readonly<Record<string, string>> = { length: "max_output_tokens", content_filter: "content_filter" };
