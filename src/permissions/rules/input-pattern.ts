// The content of rules about hosts, names and other values of an input.
import type { JsonValue } from "../../contracts/json.js";
import { malformed } from "../../rules/parse-rule.js";
import { matchesWildcard } from "./command-pattern.js";

/** The pattern of a rule about an input's strings. */
export interface InputPattern {
  /** Every text it has to be about is what the rule says, letter by letter. */
  covers(texts: readonly string[]): boolean;
  /** Any text may be what the rule is about. */
  catches(texts: readonly string[]): boolean;
  /** The hosts that every text it is about holds, if any. */
  readonly hosts: readonly string[];
}

/** `domain:example.com`. An allow means that host; `*.example.com` those below it. A deny or ask means both. */
export function compileHostPattern(rule: string, content: string): InputPattern {
  const host = /^domain:(.+)$/.exec(content)?.[1]?.trim().toLowerCase();
  if (!host) throw malformed(rule, 'a rule about URLs is written "domain:" and a host');
  if (host.includes("/") || host.includes("@") || /\s/.test(host)) throw malformed(rule, `"${host}" is not a host`);
  const named = host.includes("*") ? host : (hostOf(`https://${host}`) ?? host);
  return {
    hosts: [named.replace(/^(?:.*\*)?\.?/, "")],
    covers: (hosts) => hosts.length > 0 && hosts.every((each) => matchesWildcard(named, each)),
    catches: (hosts) =>
      hosts.some((each) => matchesWildcard(named, each) || each.endsWith(`.${named.replace(/^\*\./, "")}`)),
  };
}

/** `*` represents any text; ` *` at the end also for none. */
export function compileTextPattern(content: string): InputPattern {
  const body = content.replace(/(:\*| \*)$/, "");
  const patterns = body === content ? [content] : [body, `${body} *`];
  const lower = patterns.map((each) => each.toLowerCase());
  return {
    hosts: [],
    covers: (texts) => texts.length > 0 && texts.every((text) => patterns.some((each) => matchesWildcard(each, text))),
    catches: (texts) => texts.some((text) => lower.some((each) => matchesWildcard(each, text.toLowerCase()))),
  };
}

/** The host of a URL as browsers read it, without a dot at its end; `null` when it has none. */
export function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname.replace(/\.$/, "") || null;
  } catch {
    return null;
  }
}

const MAX_TEXTS = 1_000;

/** Every text in a JSON value, keys left out; bounded. */
export function textsIn(value: JsonValue | undefined): string[] {
  const texts: string[] = [];
  const open: (JsonValue | undefined)[] = [value];
  while (open.length > 0 && texts.length < MAX_TEXTS) {
    const next = open.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) open.push(...Object.values(next).slice(0, MAX_TEXTS));
  }
  return texts;
}
