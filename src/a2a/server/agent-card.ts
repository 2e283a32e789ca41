// The card of an agent: what its host says of it, and what is so of every agent that is served here.
import type { JsonObject } from "../../contracts/json.js";
import {
  listOf,
  type OptionTable,
  optionOf,
  recordOf,
  required,
  STRING,
  TEXT,
  tableOf,
} from "../../json/check-options.js";
import type { A2aServerSdk } from "../a2a-sdk.js";
import type { Card } from "./task-handler.js";

/** Something an agent can do. */
export interface A2aSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Words it is found by. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** Messages it is for. Default: none. */
  readonly examples?: readonly string[] | undefined;
}

/** An agent's description of itself. Its address, and that it streams, are added. */
export interface A2aCard {
  readonly name: string;
  readonly description: string;
  /** The agent's version, such as `1.0.0`. */
  readonly version: string;
  /** The public address, such as `https://example.com/a2a`: requests are served below its path. */
  readonly url: string;
  /** Default: none. */
  readonly skills?: readonly A2aSkill[] | undefined;
  /** The organization that runs the agent. */
  readonly provider?: { readonly organization: string; readonly url: string } | undefined;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  /** The ways clients sign in, by name, as protocol 1.0 writes it: `{ bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } }`. */
  readonly securitySchemes?: Readonly<Record<string, JsonObject>> | undefined;
  /** The schemes that are needed, as protocol 1.0 writes it: `[{ schemes: { bearer: { list: [] } } }]`. */
  readonly securityRequirements?: readonly JsonObject[] | undefined;
  /** Media types of messages. Default: `text/plain` and `application/json`. */
  readonly inputModes?: readonly string[] | undefined;
  /** Media types of artifacts. Default: `text/plain` and `application/json`. */
  readonly outputModes?: readonly string[] | undefined;
}

const URL_RULE = optionOf(
  (value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value),
  "the public http or https address of the agent",
);
const OBJECT = optionOf((value) => typeof value === "object" && value !== null, "an object");

export const CARD_RULE = tableOf({
  name: required(STRING),
  description: required(STRING),
  version: required(STRING),
  url: required(URL_RULE),
  skills: listOf(
    tableOf({
      id: required(STRING),
      name: required(STRING),
      description: required(STRING),
      tags: listOf(TEXT, "strings"),
      examples: listOf(TEXT, "strings"),
    } satisfies OptionTable<A2aSkill>),
    "skills",
  ),
  provider: tableOf({ organization: required(STRING), url: required(STRING) }),
  documentationUrl: STRING,
  iconUrl: STRING,
  securitySchemes: recordOf(OBJECT, "security schemes"),
  securityRequirements: listOf(OBJECT, "security requirements"),
  inputModes: listOf(STRING, "media types"),
  outputModes: listOf(STRING, "media types"),
} satisfies OptionTable<A2aCard>);

const MODES = ["text/plain", "application/json"];

export function toCard(sdk: A2aServerSdk, { url, inputModes, outputModes, skills = [], ...about }: A2aCard): Card {
  const address = url.replace(/\/+$/, "");
  return sdk.AgentCard.fromJSON({
    ...about,
    skills: skills.map((skill) => ({ tags: [], examples: [], ...skill })),
    supportedInterfaces: [
      { url: address, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: address, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: address, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    defaultInputModes: inputModes ?? MODES,
    defaultOutputModes: outputModes ?? MODES,
  });
}

/**
 * The card in the form that a client's version reads. One that names no version may be of 0.3: it gets that form, in which clients of
 * 1.0 find their interfaces as well.
 */
export async function cardResponse(sdk: A2aServerSdk, card: Card, version: string | null): Promise<Response> {
  const headers = { "cache-control": "public, max-age=300", vary: "A2A-Version" };
  const modern = sdk.AgentCard.toJSON(card) as JsonObject;
  if ((version ?? "0.3") !== "0.3") return Response.json(modern, { headers });
  const legacy = new sdk.LegacyJsonRpcTransportHandler({
    getAuthenticatedExtendedAgentCard: async () => card,
  } as never);
  const request = { jsonrpc: "2.0", id: 1, method: "agent/getAuthenticatedExtendedCard" };
  const { result } = (await legacy.handle(request, new sdk.ServerCallContext())) as { readonly result?: JsonObject };
  return Response.json({ ...result, supportedInterfaces: modern.supportedInterfaces }, { headers });
}
