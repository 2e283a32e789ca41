import { literalWord } from "../shell-word.js";
import { mentionFiles } from "./mentions.js";
import type { ProgramCall, ProgramEntry } from "./program.js";

/** Programs that start others in a container, in a terminal of their own, or later. */
export const ELSEWHERE_PROGRAMS: Readonly<Record<string, ProgramEntry>> = {
  tmux: { source: "tmux 3.3 manual", nature: "acts", analyze: analyzeTerminal },
  screen: { source: "GNU Screen 4.9 manual", nature: "acts", analyze: analyzeTerminal },
  at: { source: "at 3.2 manual", nature: "acts", reads: "-f", analyze: runsInputLater },
  batch: { source: "at 3.2 manual", nature: "acts", reads: "-f", analyze: runsInputLater },
  docker: { source: "Docker 24 documentation", nature: "acts", analyze: analyzeContainer },
  podman: { source: "Podman 4.3 manual", nature: "acts", analyze: analyzeContainer },
  kubectl: { source: "kubectl 1.28 documentation", nature: "acts", analyze: analyzeContainer },
};

const SHOWS_VERSION = /^(?:--version|version|info|--client|--short|-o|json|yaml)$/;
/** What names containers and images, and shows nothing of what is in them. */
const LISTS_CONTAINERS =
  /^(?:ps|images|(?:container|image|network|volume|context) (?:ls|list)|compose ls)(?: (?:-[aqnsl]+|--(?:all|quiet|no-trunc|size|latest|digests)|--format[ =][^\n]+|(?:-f|--filter)[ =][^\n ]+))*$/;
const CONTAINER_RUNS = /^(exec|run)$/;
const CONTAINER_VALUES =
  /^(-[euvwpl]|--(env|user|volume|workdir|name|network|publish|entrypoint|mount|platform|cpus|memory|env-file|label|hostname)|-n|--namespace|-c|--container)$/;

/** What runs in a container is on another machine, as far as paths go; allowing the outer program allows it. */
function analyzeContainer(call: ProgramCall): void {
  const args = call.args;
  mentionFiles(call, args);
  if (
    args.length > 0 &&
    /^(?:--version|version|info)$/.test(args[0]!.value ?? "") &&
    args.every(({ value }) => SHOWS_VERSION.test(value ?? ""))
  ) {
    call.onlyReads();
    return;
  }
  if (LISTS_CONTAINERS.test(args.map(({ value }) => value ?? "\n").join(" "))) {
    call.onlyReads();
    return;
  }
  const at = args.findIndex(({ value }) => CONTAINER_RUNS.test(value ?? ""));
  if (at === -1) return;
  let next = at + 1;
  while (next < args.length && args[next]!.prefix.startsWith("-") && args[next]!.value !== "--") {
    next += CONTAINER_VALUES.test(args[next]!.value ?? "") ? 2 : 1;
  }
  // What stands before a `--` is for the program that starts the container's.
  const end = args.findIndex(({ value }, index) => index > at && value === "--");
  const words = args.slice(end === -1 ? next + 1 : end + 1);
  call.start(words, { remote: true, impliedByParent: true });
}

/** A terminal of its own, in which any of its words, or all from there on, may be what it starts. */
function analyzeTerminal(call: ProgramCall): void {
  for (const [index, { prefix, value }] of call.args.slice(0, 8).entries()) {
    if (value !== null && /\s/.test(value)) call.mayRun(value);
    else if (index > 0 && !prefix.startsWith("-"))
      call.start(call.args.slice(index), { impliedByParent: true, elsewhere: true });
    else if (call.program === "screen" && !prefix.startsWith("-"))
      call.start(call.args.slice(index), { impliedByParent: true });
  }
}

function runsInputLater(call: ProgramCall): void {
  if (call.input.kind === "text") call.script(literalWord(call.input.text), { impliedByParent: true });
  else call.doubt("opaque", `"${call.program}" runs what it reads from its input`);
}
