// Redirections of the shell: what they read and write, and what a command is given as its input.
import type { Redirection } from "unbash";
import type { CommandInput } from "../invocation/program-call.js";
import { effectPaths, isStream, listedPaths } from "../words/paths.js";
import { readPlain } from "../words/read-word.js";
import type { Directories } from "../words/shell-word.js";
import type { WordScope } from "../words/word-scope.js";
import type { CommandDraft, Findings } from "./findings.js";
import type { ReadRedirect } from "./script.js";

const SOCKET = /^\/dev\/(?:tcp|udp)\/([^/]*)/;

/** The shell surely manages it. What it cannot open keeps even a builtin from running. */
export function surelyOpens({ operator, target }: ReadRedirect): boolean {
  if (target === null) return true;
  return /^[<>]&$/.test(operator) ? /^[012]$/.test(target.value ?? "") : target.value === "/dev/null";
}

/** Reads one redirection as far as its target, or its text, is known. */
export function readRedirect(node: Redirection, scope: WordScope): ReadRedirect {
  if (node.type === "HereDoc") {
    const literal = node.delimiter?.quoted || !node.body.parts?.some(({ type }) => type !== "Literal");
    // In a body that is expanded, a backslash before some characters goes away.
    const text = literal && (node.delimiter?.quoted || !node.body.text.includes("\\")) ? node.body.text : null;
    return { operator: node.operator, target: null, text };
  }
  const target = node.target ? readPlain(node.target, scope) : null;
  if (node.type === "HereString") return { operator: node.operator, target: null, text: target?.value ?? null };
  return { operator: node.operator, target, text: null };
}

/** Writes down the files and hosts that redirections of a command touch. */
export function redirectEffects(
  findings: Findings,
  draft: CommandDraft,
  redirects: readonly ReadRedirect[],
  directories: Directories,
): void {
  for (const { operator, target } of redirects) {
    if (!target || operator.startsWith("<<")) continue;
    const text = target.value;
    if (/^[<>]&$/.test(operator) && text !== null && /^\d*-?$/.test(text)) continue;
    if (isStream(text)) continue;
    if (/^[<>]\(/.test(target.raw)) continue;
    const sockets = [target.known ?? target.prefix, ...target.guesses].flatMap((each) => SOCKET.exec(each) ?? []);
    if (sockets.length > 0) {
      const host = target.value === null ? null : SOCKET.exec(target.value)![1]!.toLowerCase();
      findings.effect(draft, { kind: "network", host, redirect: true });
      draft.acts = true;
      continue;
    }
    const paths = operator === "<" ? listedPaths(target, directories) : null;
    for (const path of paths ?? effectPaths(target, directories)) {
      if (operator === "<" || operator === "<&") findings.effect(draft, { kind: "read", ...path });
      else {
        const how =
          operator === ">" || operator === ">|" || operator === "&>" || operator === ">&" ? "create" : "modify";
        findings.effect(draft, { kind: "write", how, redirect: true, ...path });
      }
    }
  }
}

/** The input that redirections give a command; `undefined` when they leave it alone. */
export function inputOf(redirects: readonly ReadRedirect[]): CommandInput | undefined {
  const last = redirects.findLast(({ operator }) => operator.startsWith("<"));
  if (!last) return undefined;
  if (last.text !== null) return { kind: "text", text: last.text };
  if (last.target?.value === "/dev/null") return { kind: "text", text: "" };
  return { kind: "unknown", ...(last.operator === "<" && last.target && { file: last.target }) };
}
