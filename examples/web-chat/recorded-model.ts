// A model whose answers were recorded: no key, no network. What it says next depends on the transcript alone, so a server
// that was started again goes on where the last one stopped. Its tool calls are carried out for real.
import type { Message, ProviderAdapter } from "loopwright";
import { type RecordedRequest, type ScriptedContent, scripted, toolCall } from "loopwright/providers/scripted";
import { type Moment, STORIES, type Step, UNKNOWN } from "./recorded-stories.js";

/** `chunkDelayMs`: how long it waits before each piece of a few characters. */
export function recordedModel({ chunkDelayMs = 12 } = {}): ProviderAdapter {
  const answer = (request: RecordedRequest): ScriptedContent => {
    const { text, calls = [] } = nextStep(request);
    return {
      text,
      toolCalls: calls.map(([name, args]) => toolCall(name, args)),
      usage: { inputTokens: tokensOf(request.messages), outputTokens: tokensOf([text, calls]), estimated: true },
      delayMs: 20 * chunkDelayMs,
      chunkDelayMs,
      chunkSize: 5,
      argumentChunkSize: 24,
    };
  };
  return scripted([answer], { id: "recorded", model: "recorded", loop: true, record: false });
}

function nextStep({ messages, system }: RecordedRequest): Step {
  const from = messages.findLastIndex((message) => message.role === "user" && isPrompt(message));
  const prompt = textOf(messages[from]);
  const since = messages.slice(from + 1);
  const results = since.flatMap((message) => (message.role === "tool" ? message.content : []));
  const lastTurn =
    messages.at(-1)?.role === "tool" ? messages.at(-1) : messages.findLast(({ role }) => role === "tool");
  const last = from < messages.length - 1 && lastTurn?.role === "tool" ? lastTurn.content : [];
  const moment: Moment = {
    prompt,
    step: since.filter(({ role }) => role === "assistant").length,
    heard: last.map(({ output }) => String(output)).join("\n"),
    everHeard: results.map(({ output }) => String(output)).join("\n"),
  };
  const denied = last.find(({ output, isError }) => isError && /denied|refused|said no/i.test(String(output)));
  if (denied)
    return { text: `Understood, I leave \`${denied.name}\` alone and stop here. Tell me how you would like to go on.` };
  const story = STORIES.find(({ isFor }) => isFor(prompt, system.map(({ text }) => text).join("\n")));
  const step = story?.tell(moment) ?? { text: UNKNOWN };
  const steering = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1).filter(isSteering);
  if (steering.length === 0) return step;
  const quoted = steering.map((message) => `> ${textOf(message).replaceAll("\n", "\n> ")}`).join("\n\n");
  return { ...step, text: `${quoted}\n\nNoted, I take that into account.\n\n${step.text}` };
}

function isPrompt(message: Message): boolean {
  return message.role === "user" && (message.origin ?? "user") === "user";
}

function isSteering(message: Message): boolean {
  return message.role === "user" && message.origin === "steering";
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The usual rule of thumb: four characters a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
