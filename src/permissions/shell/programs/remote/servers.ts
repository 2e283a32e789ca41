import { mentionFiles } from "../../invocation/mentions.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { literalWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { CALLS, does } from "../reach.js";

/** Programs that hand out a whole directory to whoever connects. */
export const SERVER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "http-server serve live-server lite-server browser-sync servor miniserve dufs darkhttpd webfsd simple-http-server httpd caddy":
    does(CALLS, "their documentations, 2024", { anyOptions: true, analyze: servesFiles }),
};

/** Commands, ports, addresses and time spans: no word of them is a directory. */
const NO_DIRECTORY = /^(?:start|run|file-server|httpd|localhost|[\d.:]+s?|tcp:.*)$/;

/** The directories among the words, or the one it stands in, with all that is below. */
export function servesFiles(call: ProgramCall): void {
  mentionFiles(call);
  const named = call.args.filter(({ value, prefix }) => !prefix.startsWith("-") && !NO_DIRECTORY.test(value ?? ""));
  const glued = call.args.flatMap(
    ({ value }) => /^--(?:root|dir|directory|server)=(.+)$/s.exec(value ?? "")?.[1] ?? [],
  );
  const all = [...named, ...glued.map(literalWord)];
  for (const directory of all.length > 0 ? all : [literalWord(".")]) call.read(directory, { recursive: true });
}
