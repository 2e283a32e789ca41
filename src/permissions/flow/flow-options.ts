import type { EffectName, Label, Source } from "../../contracts/label.js";
import { listOf, type OptionTable, oneOf, TEXT } from "../../json/check-options.js";
import { EFFECTS } from "../../labels/effects.js";
import { UNLABELLED } from "../../labels/join-labels.js";
import { matchesWildcard } from "../rules/command-pattern.js";

/**
 * The checks after content that others may have written was read. Sources are written as the name of a tool (`web_fetch`,
 * `mcp__github__*`), or as a kind and a name (`web:docs.example.com`, `mcp:github`, `command:npm test`); `*` represents any text.
 */
export interface FlowOptions {
  /** Sources that are untrusted, also where the tool says otherwise. */
  readonly untrusted?: readonly string[] | undefined;
  /** Sources that are trusted, also where the tool says otherwise. `untrusted` wins. */
  readonly trusted?: readonly string[] | undefined;
  /** Effects that ask after untrusted content. Default: all; `writes` never means a file inside the workspace. */
  readonly ask?: readonly EffectName[] | undefined;
  /** `known`: a call whose targets are all known is decided by the other rules alone. `any`: it asks all the same. Default: `known`. */
  readonly targets?: "known" | "any" | undefined;
  /** Sources whose content is the user's alone: after it, a call that sends asks unless its targets are known. */
  readonly private?: readonly string[] | undefined;
}

/** The sources of the content that a checker decides by. */
export const FLOW_TABLE = {
  untrusted: listOf(TEXT, "sources"),
  trusted: listOf(TEXT, "sources"),
  ask: listOf(oneOf(...EFFECTS), "effects"),
  targets: oneOf("known", "any"),
  private: listOf(TEXT, "sources"),
} satisfies OptionTable<FlowOptions>;

/** A source as options and answers write it. */
export function sourceText({ kind, name }: Source): string {
  return `${kind}:${name}`;
}

/** Whether one of the patterns means the tool, or one of the sources. */
export function namesSource(patterns: readonly string[], tool: string, sources: readonly Source[]): boolean {
  if (patterns.length === 0) return false;
  const texts = [tool, ...sources.map(sourceText), ...serversOf(tool)];
  return patterns.some((pattern) => texts.some((text) => matchesWildcard(pattern, text)));
}

function serversOf(tool: string): readonly string[] {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  return server === undefined ? [] : [`mcp:${server}`];
}

function isUntrusted({ untrusted }: Source): boolean {
  return untrusted === true;
}

/** The sources that make a label untrusted, without those that speak for the user, and those that the host trusts. */
export function untrustedIn(
  { sources, integrity }: Label,
  { trusted = [], untrusted = [] }: FlowOptions,
  speaking: ReadonlySet<string>,
): readonly Source[] {
  if (integrity === "trusted") return [];
  const suspects = sources.filter(isUntrusted);
  // A label that does not say what is untrusted in it has no source that could speak for anybody.
  if (suspects.length === 0) return UNLABELLED.sources;
  if (trusted.length === 0 && speaking.size === 0) return suspects;
  const isExcepted = (source: Source) => namesSource(trusted, "", [source]) && !namesSource(untrusted, "", [source]);
  return suspects.filter((source) => !speaking.has(sourceText(source)) && !isExcepted(source));
}
