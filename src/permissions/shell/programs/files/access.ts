import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { CHANGES_FILES, does, like } from "../reach.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const COMMON = "--help --version";

const MODE_DESTROYS: DestroyingWords = [
  [
    /(?:^| )(?:[0-7]?[0-7][0-7][2367]|(?:[^ ,]+,)*[ug]*[oa][^ +=-]*[+=][^ w-]*w\S*)(?= |$)/,
    "lets everybody change a file",
  ],
  [/(?:^| )(?:[2467][0-7]{3}|[ugoa]*\+[a-rt-zA-Z]*s\w*)(?= |$)/, "lets everybody run a program as its owner"],
];

const CHANGES_OWNER: ProgramRow = does(CHANGES_FILES, COREUTILS, {
  flags: `-c -f -v -R -h -H -L -P --recursive --changes --verbose --quiet --silent --dereference --no-dereference
    --preserve-root --no-preserve-root ${COMMON}`,
  reads: "--reference",
  operands: ["text", "write"],
  filesFirst: "--reference",
  recursive: "-R --recursive",
});

/** Programs that say who may use a file. */
export const ACCESS_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  chmod: does(CHANGES_FILES, COREUTILS, {
    // A mode may look like options: `-x`, `-rw`.
    flags: `-c -f -v -R -r -w -x -X -s -t -u -g -o --changes --quiet --silent --verbose --recursive --preserve-root
      --no-preserve-root ${COMMON}`,
    harmless: /^-[rwxXst]+(?:,[ugoa]*[-+=][rwxXst]*)*$/,
    reads: "--reference",
    destroys: MODE_DESTROYS,
    operands: ["text", "write"],
    filesFirst: "--reference -r -w -x -X -s -t -u -g -o",
    recursive: "-R --recursive",
  }),
  chown: { ...CHANGES_OWNER, values: "--from" },
  chgrp: CHANGES_OWNER,
  "chattr setfacl restorecon": like(CHANGES_OWNER, "e2fsprogs 1.47, acl 2.3 and SELinux 3.4 manuals", {
    anyOptions: true,
    operands: ["write"],
    filesFirst: undefined,
    recursive: true,
  }),
};
