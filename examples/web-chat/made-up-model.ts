// A model that says what it was sent: no key, no network. Each of its answers has a number, so that one that is asked for again differs.
import type { ContentPart, ProviderAdapter } from "loopwright";
import { type RecordedRequest, type ScriptedContent, scripted, toolCall } from "loopwright/providers/scripted";

/** `paceMs`: how long it waits before each few characters. */
export function madeUpModel(paceMs: number): ProviderAdapter {
  let answers = 0;
  const answer = (request: RecordedRequest): ScriptedContent => {
    const from = request.messages.findLastIndex(({ role }) => role === "user");
    const { content } = request.messages[from] as { readonly content: readonly ContentPart[] };
    const prompt = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const result = request.messages.slice(from).find(({ role }) => role === "tool");
    const pace = { chunkDelayMs: paceMs, chunkSize: 6 };
    if (/remind/i.test(prompt) && !result) return { toolCalls: [toolCall("set_reminder", { text: prompt })], ...pace };
    if (/ask me/i.test(prompt) && !result)
      return {
        toolCalls: [toolCall("ask_user", { question: "Which river?", options: ["The Rhine", "The Elbe"] })],
        ...pace,
      };
    const said = request.messages.filter(({ role }) => role === "user").length;
    const files = content.flatMap((part) => (part.type === "text" ? [] : [sizeOf(part)]));
    const seen = files.length > 0 ? ` I have got ${files.join(" and ")}.` : "";
    const long = /story/i.test(prompt) ? ` ${"And then the river went on. ".repeat(60)}` : "";
    const done = result ? " It has been answered." : "";
    return { text: `Answer ${++answers}, to message ${said}: ${prompt}${seen}${done}${long}`, ...pace };
  };
  return scripted([answer], { id: "made-up", model: "made-up", loop: true, record: false });
}

function sizeOf(part: Exclude<ContentPart, { readonly type: "text" }>): string {
  const bytes = Math.floor((part.data.length * 3) / 4);
  return `${part.type === "image" ? "a picture" : part.mediaType} of ${Math.ceil(bytes / 1024)} KB`;
}
