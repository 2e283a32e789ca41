import type { ParsedOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import type { Losses, ProgramRow } from "../program-row.js";
import { CHANGES_FILES, does, like } from "../reach.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const COMMON = "--help --version";

const MODE_LOSSES: Losses = [
  [
    /(?:^| )(?:[0-7]?[0-7][0-7][2367]|(?:[^ ,]+,)*[ug]*[oa][^ +=-]*[+=][^ w-]*w\S*)(?= |$)/,
    "lets everybody change a file",
  ],
  [/(?:^| )(?:[2467][0-7]{3}|[ugoa]*\+[a-rt-zA-Z]*s\w*)(?= |$)/, "lets everybody run a program as its owner"],
];

const CHANGES_OWNER: ProgramRow = does(CHANGES_FILES, COREUTILS, {
  flags: `-c -f -v -R -h -H -L -P --recursive --changes --verbose --quiet --silent --dereference --no-dereference --preserve-root
    --no-preserve-root ${COMMON}`,
  reads: "--reference",
  analyze: changesMode,
});

/** Programs that say who may use a file. */
export const ACCESS_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  chmod: does(CHANGES_FILES, COREUTILS, {
    // A mode may look like options: `-x`, `-rw`.
    flags: `-c -f -v -R -r -w -x -X -s -t -u -g -o --changes --quiet --silent --verbose --recursive --preserve-root --no-preserve-root ${COMMON}`,
    harmless: /^-[rwxXst]+(?:,[ugoa]*[-+=][rwxXst]*)*$/,
    reads: "--reference",
    losses: MODE_LOSSES,
    analyze: changesMode,
  }),
  chown: { ...CHANGES_OWNER, values: "--from" },
  chgrp: CHANGES_OWNER,
  "chattr setfacl restorecon": like(CHANGES_OWNER, "e2fsprogs 1.47, acl 2.3 and SELinux 3.4 manuals", {
    anyOptions: true,
    analyze: changesAll,
  }),
};

function changesMode(call: ProgramCall, options: ParsedOptions): void {
  const files = options.has("--reference") ? options.operands : options.operands.slice(1);
  // A mode such as `-x` looks like an option; what follows may then be the first file.
  const recursive = options.has("-R", "--recursive");
  const isOption = options.unknown.length > 0 || options.options.some(({ name }) => MODE_LETTER.test(name));
  for (const file of isOption ? options.operands : files) call.write(file, "modify", recursive);
}

const MODE_LETTER = /^-[rwxXstugo]/;

/** Any of the words may be a file. */
function changesAll(call: ProgramCall, { operands }: ParsedOptions): void {
  for (const word of operands) call.write(word, "modify", true);
}
