import type { CommandDraft } from "../script/findings.js";
import { surelyOpens } from "../script/redirections.js";
import { through } from "../script/surroundings.js";
import { effectPaths } from "../words/paths.js";
import {
  type Directories,
  joinDirectories,
  joinedWords,
  literalWord,
  type Outcome,
  type ShellWord,
} from "../words/shell-word.js";
import { acts, type Builtin, type BuiltinCall, inside, opaque, prints, readHere, setsPlainly } from "./builtin-call.js";
import { declares, evaluates, maps, names, printsFormatted, readNames, tests } from "./naming-builtins.js";

const NOWHERE: Outcome = { ok: [], fail: [] };

/** The builtins of bash 5.2, by its manual. What is missing here is a program. */
const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...each(
    ": true false echo pwd type times fg bg shift break continue caller dirs disown help ulimit umask unalias",
    prints,
  ),
  ...each("mapfile readarray", maps),
  ...each("test [", tests),
  ...each("source .", runsFile),
  ...each("cd pushd", moves),
  ...each("logout exit return", leaves),
  ...each("declare typeset local export readonly", declares),
  ...each("suspend history kill", acts),
  jobs: (call) => unless(call, /^-\w*x/, "starts a program"),
  wait: (call) => names(call, (words) => words.slice(1), /^-p$/),
  fc: (call) => opaque(call, "runs commands again"),
  printf: printsFormatted,
  let: evaluates,
  read: (call) => names(call, readNames),
  getopts: (call) => names(call, (words) => words.slice(1, 2)),
  unset: (call) => names(call, (words) => words.filter(({ prefix }) => !prefix.startsWith("-"))),
  set: (call) => (setsPlainly(call.args) ? prints(call) : opaque(call, "changes how the script is read")),
  shopt: (call) => opaque(call, "changes how the script is read"),
  popd: (call) => {
    call.open().reads = true;
    return { ok: null, fail: call.invocation.directories };
  },
  eval: evaluatesScript,
  trap: traps,
  exec: replaces,
  command: throughCommand,
  builtin: throughBuiltin,
  hash: (call) => unless(call, /^-[a-z]*p/, "changes which programs run"),
  enable: (call) => unless(call, /^/, "changes the builtins"),
  alias: (call) => unless(call, /=/, "changes what words mean"),
  ...each("complete compopt bind", (call) => opaque(call, "sets code to run later")),
  compgen: (call) => unless(call, /^-[a-zA-Z]*[CFWPSX]/, "runs code"),
};

/** It prints, unless a word of it is not known or says that it does more. */
function unless(call: BuiltinCall, more: RegExp, what: string): undefined {
  const isMore = call.args.some(({ value }) => value === null || more.test(value));
  return isMore ? opaque(call, what) : prints(call);
}

/** The builtin of this name. */
export function builtinNamed(name: string | null): Builtin | undefined {
  return name !== null && Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
}

function each(names: string, builtin: Builtin): Readonly<Record<string, Builtin>> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, builtin]));
}

/** With other words it may only complain, or show its help. */
function leaves(call: BuiltinCall): Outcome | undefined {
  call.open().reads = true;
  const [status, ...more] = call.args;
  const isPlain =
    more.length === 0 && (status === undefined || /^\d+$/.test(status.value ?? "") || status.raw === "$?");
  return isPlain && call.invocation.redirects.every(surelyOpens) ? NOWHERE : undefined;
}

function moves(call: BuiltinCall): Outcome {
  const draft = call.open();
  draft.reads = true;
  const { directories } = call.invocation;
  const operands = call.args.filter(({ value }) => value === null || !/^-(?:[LP]+|-)$/.test(value));
  if (operands.length === 0 && call.invocation.words[0]!.value === "cd") {
    const { home } = call.script.shell;
    const target = home !== undefined && !call.script.variables.changes("HOME") ? literalWord(home) : undefined;
    return target ? goes(call, draft, target, directories) : unknownTarget(call, draft, directories);
  }
  const [target] = operands;
  const isPlain = operands.length === 1 && target!.value !== "-" && !/^[-+]\d/.test(target!.prefix) && !target!.splits;
  return isPlain ? goes(call, draft, target!, directories) : unknownTarget(call, draft, directories);
}

function goes(call: BuiltinCall, draft: CommandDraft, target: ShellWord, directories: Directories): Outcome {
  // With that option it follows links before `..`.
  if (call.args.some(({ value }) => /^-L*P/.test(value ?? ""))) {
    call.script.findings.effect(draft, { kind: "read", path: null, isElsewhere: true });
    return { ok: null, fail: directories };
  }
  // The shell folds `..` by its text, as no program does.
  const paths = effectPaths(target, directories).map(({ asWritten: _, ...path }) => path);
  for (const path of paths) call.script.findings.effect(draft, { kind: "read", ...path });
  const known = paths.filter(({ isPossible }) => !isPossible).map(({ path, pattern }) => (pattern ? null : path));
  const ok = known.every((path): path is string => path !== null) ? known : null;
  // Nothing before it in the line can have taken the directory away.
  const isSteady = call.script.findings.commands.every(({ acts, reads }) => reads && !acts);
  const mayFail = !call.invocation.redirects.every(surelyOpens);
  const isThere = ok !== null && isSteady && !mayFail && ok.every((path) => call.script.shell.isDirectory(path));
  return { ok: mayFail ? joinDirectories(ok, directories) : ok, fail: isThere ? [] : directories };
}

function unknownTarget(call: BuiltinCall, draft: CommandDraft, directories: Directories): Outcome {
  call.script.findings.effect(draft, { kind: "read", path: null });
  return { ok: null, fail: directories };
}

function evaluatesScript(call: BuiltinCall): Outcome {
  const draft = call.open();
  const args = call.args[0]?.value === "--" ? call.args.slice(1) : call.args;
  if (args.length === 0) {
    draft.reads = true;
    return { ok: call.invocation.directories, fail: call.invocation.directories };
  }
  const code = joinedWords(args);
  const isKnown = args.every(({ value }) => value !== null);
  if (isKnown) draft.reads = true;
  else call.script.findings.doubt(draft, "opaque", 'What "eval" runs is known only at run time');
  return inside(call, draft, isKnown, () => readHere(call, code));
}

/** The script that enters a virtual environment of Python sets variables, and leaves the shell where it is (Python 3.12 documentation). */
const ACTIVATES = /^[\w./-]+\/bin\/activate$/;

function runsFile(call: BuiltinCall): Outcome {
  const draft = call.open();
  const [file] = call.args[0]?.value === "--" ? call.args.slice(1) : call.args;
  const { findings } = call.script;
  if (!file || file.value === null || /^\/dev\/|^-$/.test(file.value)) {
    findings.doubt(draft, "opaque", `What "${draft.words[0]!.raw}" runs is known only at run time`);
  } else findings.doubt(draft, "script", `"${draft.words[0]!.raw}" runs "${file.value}", which was not read`);
  if (file) {
    for (const path of effectPaths(file, call.invocation.directories))
      findings.effect(draft, { kind: "read", loads: true, ...path });
  }
  const { directories } = call.invocation;
  return ACTIVATES.test(file?.value ?? "") ? { ok: directories, fail: directories } : { ok: null, fail: null };
}

function traps(call: BuiltinCall): undefined {
  const draft = call.open();
  const args = call.args[0]?.value === "--" ? call.args.slice(1) : call.args;
  const [code, ...signals] = args;
  draft.reads = true;
  if (!code || (code.value !== null && (/^-[lp]*$/.test(code.value) || signals.length === 0))) return undefined;
  if (code.value === null) call.script.findings.doubt(draft, "opaque", 'What "trap" sets is known only at run time');
  const { directories } = call.invocation;
  inside(call, draft, code.value !== null, () => {
    const elsewhere = {
      ...call,
      invocation: { ...call.invocation, directories: call.script.facts.movesAnywhere ? null : directories },
    };
    readHere(elsewhere, code);
  });
  return undefined;
}

/** `exec` replaces the shell by a program, or only redirects. */
function replaces(call: BuiltinCall): Outcome | undefined {
  let at = 0;
  for (; at < call.args.length; at++) {
    const word = call.args[at]!;
    if (word.value === "--") {
      at++;
      break;
    }
    if (word.value === null || !/^-[cla]+$/.test(word.value)) break;
    if (word.value.endsWith("a")) at++;
  }
  const draft = call.open();
  draft.reads = true;
  const words = call.args.slice(at);
  if (words.length === 0) return undefined;
  inside(call, draft, true, () => call.follower.start({ ...call.invocation, redirects: [], words }));
  // When the program cannot be started, a shell that reads a script ends too.
  return undefined;
}

/** `command` runs builtins and programs, past functions. */
function throughCommand(call: BuiltinCall): Outcome | undefined {
  const at = call.args.findIndex(({ value }) => value === null || !/^-[pvV]+$/.test(value));
  const options = at === -1 ? call.args : call.args.slice(0, at);
  if (options.some(({ value }) => /[vV]/.test(value ?? "")) || at === -1) return prints(call);
  const words = call.args[at]?.value === "--" ? call.args.slice(at + 1) : call.args.slice(at);
  return passes(call, words);
}

function throughBuiltin(call: BuiltinCall): Outcome | undefined {
  const words = call.args[0]?.value === "--" ? call.args.slice(1) : call.args;
  const name = words[0]?.value;
  if (words.length > 0 && !builtinNamed(name ?? null)) {
    return opaque(call, "runs a builtin that is not known");
  }
  return words.length === 0 ? prints(call) : passes(call, words);
}

function passes(call: BuiltinCall, words: readonly ShellWord[]): Outcome {
  const { words: all } = call.invocation;
  const wrapper = { program: all[0]!.value!, harmless: true };
  return call.script.within(through(call.script.surroundings, all, wrapper), () =>
    call.follower.runPastFunctions({ ...call.invocation, words }),
  );
}
