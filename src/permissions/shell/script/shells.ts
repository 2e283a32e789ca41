import type { ProgramCall } from "../invocation/program-call.js";
import { literalWord, mayBeOption } from "../words/shell-word.js";
import type { CommandDraft } from "./findings.js";
import type { ShellScript } from "./script.js";

const BASH = new Set(["bash", "rbash"]);
const POSIX = new Set(["sh", "dash", "ash"]);
const OTHERS = new Set("zsh ksh ksh93 mksh fish csh tcsh pwsh powershell nu xonsh elvish".split(" "));
/** Syntax and names that bash reads in one way and a plain POSIX shell in another. */
const BASHISMS =
  /&>|\|&|\$['"[]|<<<|[<>]\(|\(\(|\[\[|[?*+@!]\(|\{(?:[^{},.]|\.(?!\.))*(?:,|\.\.)[^{}]*\}|\b(?:function|select|coproc|time|source|alias|let|declare|typeset|shopt|pushd|popd|dirs)\b|\+=|;;?&|\$\{[^}]*[@^,!/:]/;

/** An argument where a program may stand. */
const RUNS_ARGUMENTS = /(?:^|[;&|({!]|\b(?:exec|eval|command|sudo|env|then|do|else)\s)\s*"?\$\{?([@*\d])/;

const INFORMS = /^(?:r?bash|zsh|fish|tcsh) --version$|^r?bash --help$/;

const MAX_CODE_LENGTH = 8_000;

export function isShell(name: string): boolean {
  return BASH.has(name) || POSIX.has(name) || OTHERS.has(name);
}

/** A shell started as a program: it reads its script from `-c`, a file, or its input. */
export function readShellCall(call: ProgramCall, draft: CommandDraft, script: ShellScript): void {
  const { findings } = script;
  const args = [...call.args];
  let takesCode = false;
  let readsInput = false;
  let onlyChecks = false;
  if (args.length === 1 && INFORMS.test(`${call.program} ${args[0]!.value}`)) {
    call.onlyReads();
    return;
  }
  for (let word = args[0]; word; word = args[0]) {
    const text = word.value;
    if (text === null) {
      if (takesCode || (onlyChecks && !mayBeOption(word))) break;
      findings.doubt(draft, "opaque", `What "${call.program}" runs is known only at run time`);
      return;
    }
    if (!/^[-+]/.test(text)) break;
    args.shift();
    if (text === "--" || text === "-") break;
    if (/^--(?:rcfile|init-file)$/.test(text) || /^[-+][A-Za-z]*[oO]$/.test(text)) {
      const [value] = args.splice(0, 1);
      if (text.startsWith("--")) findings.doubt(draft, "script", `"${text}" runs a file that was not read`);
      else if (
        value?.value === null ||
        !/^(?:pipefail|errexit|nounset|xtrace|noglob|noclobber)$/.test(value?.value ?? "")
      ) {
        findings.doubt(draft, "opaque", `"${text}" changes how "${call.program}" reads its script`);
      }
    }
    if (text.startsWith("--")) continue;
    if (text.includes("c")) takesCode = true;
    if (text.includes("s")) readsInput = true;
    if (text.includes("n")) onlyChecks = text.startsWith("-");
    // The start files of a login are the user's own.
    if (/[ik]/.test(text.slice(1)))
      findings.doubt(draft, "option", `"${text}" makes "${call.program}" read its start files`);
    if (!/^[-+][abcefhilnopstuvxCBEHPTO]*$/.test(text)) {
      findings.doubt(draft, "opaque", `"${text}" is not a known option of "${call.program}"`);
    }
  }
  if (takesCode) {
    const [code, name, ...more] = args;
    if (!code) return;
    readCode(call, draft, script, code);
    // The code may run its arguments.
    const runs = RUNS_ARGUMENTS.exec(code.value ?? "")?.[1];
    if (runs && name) call.start(runs === "0" ? [name, ...more] : more, { impliedByParent: true });
    return;
  }
  const [file] = args;
  if (file && !readsInput) {
    // One of the files that a wildcard or a list names.
    if (file.value === null && !onlyChecks && (file.listed || file.pattern || file.complete)) {
      call.loads(file);
      findings.doubt(draft, "script", `"${call.program}" runs ${file.raw}, which was not read`);
      return;
    }
    if ((file.value === null && !onlyChecks) || /^\/dev\/(?:stdin|fd\/)/.test(file.value ?? "")) {
      findings.doubt(draft, "opaque", `What "${call.program}" runs is known only at run time`);
      return;
    }
    if (onlyChecks) {
      call.read(file);
      call.onlyReads();
      return;
    }
    const text = call.codeIn(file);
    if (text === null || !call.mayRun(text))
      findings.doubt(draft, "script", `"${call.program}" runs "${file.value}", which is not understood`);
    return;
  }
  const text = call.codeInInput();
  if (text !== null) {
    readCode(call, draft, script, literalWord(text));
    return;
  }
  // On another machine: to allow what starts it there is to allow it.
  if (script.surroundings.remote && script.surroundings.impliedByParent) return;
  if (call.input.kind === "none") findings.doubt(draft, "script", `"${call.program}" reads its script from its input`);
  else findings.doubt(draft, "opaque", `"${call.program}" runs what it reads from its input`);
}

function readCode(
  call: ProgramCall,
  draft: CommandDraft,
  script: ShellScript,
  code: Parameters<ProgramCall["script"]>[0],
): void {
  const differs =
    !BASH.has(call.program) &&
    (OTHERS.has(call.program) || (code.value ?? "").length > MAX_CODE_LENGTH || BASHISMS.test(code.value ?? ""));
  if (differs) {
    script.findings.doubt(draft, "opaque", `"${call.program}" may read its script differently from bash`);
  }
  call.onlyReads();
  call.script(code);
}
