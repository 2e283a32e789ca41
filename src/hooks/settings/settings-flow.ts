// The `flow` of settings files: what happens after untrusted content was read.

import { isObject } from "../../json/is-object.js";
import type { FlowOptions } from "../../permissions/flow/flow-options.js";
import { textsUnder } from "./settings-keys.js";
import type { SettingsReader } from "./settings-reader.js";

const WHY = "sources that the project trusts, and the project is not trusted";

/** The flow options of all files together; `undefined` without any. Every file adds untrusted or private sources, a trusted one trusted sources. */
export function readFlow(readers: readonly SettingsReader[]): FlowOptions | undefined {
  const having = readers.filter(({ file }) => isObject(file.value.flow));
  if (having.length === 0) return undefined;
  const all = (key: "flow.untrusted" | "flow.private") => having.flatMap((reader) => textsUnder(reader, key) ?? []);
  const trusted = having.flatMap((reader) => {
    const sources = textsUnder(reader, "flow.trusted") ?? [];
    if (reader.isTrusted || sources.length === 0) return sources;
    reader.untrusted(["flow", "trusted"], [...sources], WHY);
    return [];
  });
  return { untrusted: all("flow.untrusted"), trusted, private: all("flow.private") };
}

/** The host's own option, and what settings say: no file takes back what the other says, and a file turns on what the host has off. */
export function joinFlow(
  own: FlowOptions | "off" | undefined,
  said: FlowOptions | undefined,
): FlowOptions | "off" | undefined {
  if (!said) return own;
  const host = typeof own === "object" ? own : {};
  const both = (key: "untrusted" | "trusted" | "private") => [...(host[key] ?? []), ...(said[key] ?? [])];
  return { ...host, untrusted: both("untrusted"), trusted: both("trusted"), private: both("private") };
}
