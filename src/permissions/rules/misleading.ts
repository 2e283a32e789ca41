// Rules that are well formed and mean something else than they look like, each with what to write instead.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { formatRule } from "../../rules/parse-rule.js";
import type { CommandPattern } from "./command-pattern.js";
import type { CompiledRule } from "./rules.js";

/** The part of a rule its author probably did not mean, in a sentence and a half; `null` when it says what it means. */
export function misleading({ about, parsed, ref }: CompiledRule, root: string): string | null {
  const write = (content: string) => `Write "${formatRule(parsed.tool, content)}"`;
  const content = parsed.content ?? "";
  if (about.subject === "path") return misleadingPath(content, root, write);
  if (about.subject !== "command") return null;
  const { kind, words } = about.pattern;
  const [port] = /[a-z]:\/\/[^\s/:]+:(?=\*$)/i.exec(content) ?? [];
  if (port !== undefined) {
    const any = `"${formatRule(parsed.tool, `${content}*`)}"`;
    const one = write(content.replace(/\*$/, "8080/*"));
    return `":*" at the end means further words, so no port is matched. ${one} for one port, or ${any} for all.`;
  }
  if (isOneQuotedWord(about.pattern)) {
    const plain = `${words.join(" ")}${kind === "prefix" ? ":*" : ""}`;
    return `The quotes make "${words[0]}" the name of one program. ${write(plain)}.`;
  }
  // Only what spells out a program and its commands: an operand or an option may well be meant alone.
  if (ref.behavior !== "allow" && kind === "exact" && words.every((word) => /^[a-z][\w-]*$/i.test(word))) {
    return `It is about these words alone: "${content} x" is another command. ${write(`${content}:*`)}.`;
  }
  return null;
}

function isOneQuotedWord({ kind, words }: CommandPattern): boolean {
  return kind !== "line" && /^[^/]*\s[^/]*$/.test(words[0] ?? "");
}

function misleadingPath(content: string, root: string, write: (content: string) => string): string | null {
  const quoted = /^(["'])([^"']+)\1$/.exec(content)?.[2];
  if (quoted !== undefined) return `The quotes are part of the name. ${write(quoted)}.`;
  if (/^[a-z]:[\\/]|\\[\p{L}\p{N}]/iu.test(content)) {
    const path = content.replace(/^[a-z]:/i, "/").replaceAll("\\", "/");
    return `Paths are written with "/", and start at the workspace's root unless they begin with "//". ${write(path)}.`;
  }
  const [, first] = /^\/([^/*?[\\]+)(?=\/|$)/.exec(content) ?? [];
  if (first === undefined || existsSync(join(root, first)) || !existsSync(`/${first}`)) return null;
  const here = write(`/${content}`);
  return `It starts at the workspace's root, where there is no "${first}". ${here} for the one of this machine.`;
}
