// Serves: OpenAI, Anthropic, Google, Bedrock (`__type`), Azure (`innererror`), Cloudflare (`errors`), Baidu (`error_code`), MiniMax
// (`http_code`), OpenRouter (`metadata`), FastAPI (`detail`) and gateways that wrap the refusal of the server behind them.

import { type Fields, isObject } from "../../../json/is-object.js";
import { parseJson } from "../../../json/parse-json.js";

/** The fields of a refusal, whatever their place in it. */
interface RefusalFields {
  /** The vendor's own code and type, from the innermost object that has one. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** All its names, at any level. */
  readonly names: readonly string[];
  /** The HTTP status that is written into it. */
  readonly status: number | undefined;
  readonly message: string;
}

/** The most objects and strings of JSON around a refusal. */
const MAX_DEPTH = 6;

const STATUS_FIELDS = ["code", "status", "status_code", "statusCode", "http_code"] as const;

/** Reads a refusal: a JSON value or its text. Understands the shapes of OpenAI, Anthropic, Google and the gateways in front of them. */
export function refusalFields(said: unknown): RefusalFields {
  const { layers, core } = unwrap(said);
  const first = (pick: (layer: Fields) => unknown) => layers.map(pick).map(asName).find(Boolean);
  const statuses = layers.flatMap((layer) => STATUS_FIELDS.map((field) => asName(layer[field])));
  const status = statuses.find((name) => name !== undefined && /^[45]\d\d$/.test(name));
  return {
    code: first(({ code, error_code }) => code ?? error_code),
    type: first(({ type, __type, status, error_type, reason }) => type ?? __type ?? status ?? error_type ?? reason),
    names: layers.flatMap(namesOf),
    status: status === undefined ? undefined : Number(status),
    message: typeof core === "string" ? core : messageOf(layers[0] ?? core),
  };
}

/** The objects that a refusal is wrapped into, innermost first, and what is at the core of them. */
function unwrap(said: unknown): { layers: readonly Fields[]; core: unknown } {
  const layers: Fields[] = [];
  let body = said;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (isObject(body)) layers.unshift(body);
    const next: unknown = inside(body);
    if (next === undefined) break;
    body = next;
  }
  return { layers, core: body };
}

/** The wrapped refusal: below `error` or in a list, as JSON or as a string of it; `undefined` when this is the refusal itself. */
function inside(body: unknown): unknown {
  if (typeof body === "string") return jsonIn(body);
  if (Array.isArray(body)) return body[0];
  if (!isObject(body)) return undefined;
  const { error, errors, message, detail } = body;
  if (typeof error === "object" && error !== null) return error;
  // Cloudflare counts its errors.
  if (Array.isArray(errors) && errors.length > 0 && message === undefined) return errors;
  // A gateway may explain beside its error what it names there: `{ "error": "Bad Request", "message": "…" }`.
  return jsonIn(message) ?? (isObject(detail) ? detail : undefined);
}

/** The object that a string holds; `undefined` for other strings. A list names each field that is wrong, and stays whole. */
function jsonIn(text: unknown): unknown {
  return typeof text === "string" && /^\s*\{/.test(text) ? parseJson(text) : undefined;
}

function namesOf(layer: Fields): string[] {
  const { code, error_code, type, __type, status, error_type, reason, metadata, innererror } = layer;
  const upstream = isObject(metadata) ? metadata.error_type : undefined; // OpenRouter
  const cause = isObject(innererror) ? innererror.code : undefined; // Azure
  const said = [code, error_code, type, __type, status, error_type, reason, upstream, cause];
  return said.flatMap((name) => asName(name) ?? []);
}

/** Other fields are shown as they are, with the rest of the refusal. */
function messageOf(body: unknown): string {
  if (!isObject(body)) return body === undefined || body === null ? "" : asText(body);
  const said = body.message ?? body.detail ?? (typeof body.error === "string" ? body.error : undefined);
  const shown = said ?? (Object.keys(body).length > 0 ? body : "");
  // OpenRouter hides the text of the server behind it.
  const raw = isObject(body.metadata) ? body.metadata.raw : undefined;
  return raw === undefined ? asText(shown) : `${asText(shown)} (${asText(raw)})`;
}

/** A value that is nested too deeply cannot be written. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "an error that is nested too deeply to be shown";
  }
}

function asName(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
