// Model servers on this machine: asked for their models when a person wants to know, and at no other time.

import { isObject } from "../../json/is-object.js";
import { compatProfiles } from "../../providers/openai/compat-profiles.js";
import type { OwnModels } from "./own-models.js";

/** A server that is not there says so at once; one that loads a model may not. Unit: milliseconds. */
const PATIENCE_MS = 1_500;
const MAX_BYTES = 1024 * 1024;
const MAX_MODELS = 200;
const MAX_NAME_CHARS = 200;

/** The part of an address and its server's name that is needed to ask it. */
export interface LocalServer {
  readonly vendor: string;
  readonly baseURL: string;
}

/** Ollama, vLLM, llama.cpp and LM Studio at their usual addresses, and the user's own servers on this machine. */
export function localServers({ providers }: OwnModels): readonly LocalServer[] {
  return Object.entries({ ...compatProfiles, ...providers })
    .map(([vendor, { baseURL }]) => ({ vendor, baseURL }))
    .filter(({ baseURL }) => isLoopback(baseURL));
}

/** Whether a server is on this machine, so that it needs no key. */
export function isLoopback(baseURL: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(baseURL).hostname);
}

/** The models of those that answer, as `vendor/model`. Takes at most 1.5 s; never rejects. */
export async function findLocalModels(servers: readonly LocalServer[]): Promise<readonly string[]> {
  const found = await Promise.all(servers.map((server) => modelsOf(server).catch(() => [])));
  return found.flat();
}

async function modelsOf({ vendor, baseURL }: LocalServer): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(`${baseURL.replace(/\/$/, "")}/models`, { signal, redirect: "error" });
  const { data } = JSON.parse(await textOf(response)) as { readonly data?: unknown };
  const ids = Array.isArray(data) ? data.map((model) => (isObject(model) ? model.id : undefined)) : [];
  const names = ids.filter((id) => typeof id === "string" && id !== "" && id.length <= MAX_NAME_CHARS);
  return names.slice(0, MAX_MODELS).map((id) => `${vendor}/${id}`);
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.ok ? (response.body ?? []) : []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > MAX_BYTES) throw new Error("It says too much.");
  }
  return text;
}
