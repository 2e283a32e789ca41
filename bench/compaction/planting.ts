// What sessions with planted facts are made of.
import { readdirSync, readFileSync } from "node:fs";
import type { Message, ToolCall } from "../../src/index.js";

export type FactKind = "decision" | "identifier" | "path" | "number" | "open bug" | "user wish";

export interface Fact {
  readonly kind: FactKind;
  /** What has to be in the view, word for word. */
  readonly needle: string;
  /** What an agent would look up to find it again, without knowing the answer. */
  readonly question: string;
}

export interface PlantedSession {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly facts: readonly Fact[];
}

/** Who says a fact: the user, the model, or a tool's result. */
export type Speaker = "user" | "model" | "result";
export type Template = readonly [FactKind, Speaker, text: string, needle: string, question: string];

/** Fills in `{n}`, a number, `{m}`, one of two digits, and `{h}`, a hash, so that no two sessions share a fact. */
export function filledWith(random: () => number): (text: string) => string {
  const n = String(100 + Math.floor(random() * 899));
  const m = String(10 + Math.floor(random() * 49));
  const h = Math.floor(2 ** 35 + random() * 2 ** 35).toString(16);
  return (text) => text.replace(/\{n\}/g, n).replace(/\{m\}/g, m).replace(/\{h\}/g, h);
}

const ABOUT = { finishReason: "stop", provider: "bench", model: "bench" } as const;

export function user(text: string, origin?: "steering"): Message {
  return { role: "user", content: [{ type: "text", text }], ...(origin && { origin }) };
}

export function assistant(text: string, call?: ToolCall): Message {
  const said = text ? [{ type: "text" as const, text }] : [];
  return {
    role: "assistant",
    content: [...said, ...(call ? [{ type: "tool-call" as const, ...call }] : [])],
    ...ABOUT,
  };
}

export function result(toolCallId: string, name: string, output: string): Message {
  return { role: "tool", content: [{ type: "tool-result", toolCallId, name, output, isError: false }] };
}

const ROOT = new URL("../../", import.meta.url);
const FILES = ["src/engine", "src/tools", "src/providers/openai"].flatMap((directory) =>
  readdirSync(new URL(directory, ROOT))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${directory}/${name}`),
);

/** A piece of a real file, with line numbers. */
export function linesOfSource(random: () => number): { readonly file: string; readonly lines: string[] } {
  const file = FILES[Math.floor(random() * FILES.length)]!;
  const source = readFileSync(new URL(file, ROOT), "utf8").split("\n");
  const from = Math.floor((random() * source.length) / 2);
  return { file, lines: source.slice(from, from + 90).map((line, i) => `${from + i + 1}\t${line}`) };
}

const PROSE = ["concepts", "guides", "decisions"].flatMap((directory) =>
  readdirSync(new URL(`docs/${directory}`, ROOT)).flatMap((name) => {
    const text = readFileSync(new URL(`docs/${directory}/${name}`, ROOT), "utf8").replace(/^```[\s\S]*?^```/gm, "");
    return text.match(/(?<=^|[.!?] )[A-Z][^|#*]{30,200}?[.!?](?=\s)/gm) ?? [];
  }),
);

/** Some sentences about other things. */
export function filler(random: () => number): string {
  const sentences = Array.from({ length: 4 }, () => PROSE[Math.floor(random() * PROSE.length)]!);
  return sentences.join(" ").replace(/\s+/g, " ");
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
