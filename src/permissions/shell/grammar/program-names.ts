// Which names are programs, and which the shell itself understands.

/** What the name of a program may look like: `git`, `./gradlew`, `/usr/bin/env`. */
export const PROGRAM = /^(?:[\w./+@-]+|\[|:)$/;
export const KEYWORDS = new Set(
  "case coproc do done elif else esac fi for function if in select then until while time [[ ]] { } !".split(" "),
);
export const BUILTIN_NAMES = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return
  set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** A program, and nothing that the shell does itself. */
export function isPlainProgram(name: string): boolean {
  return /^[a-z][\w.+-]*$/.test(name) && !KEYWORDS.has(name) && !BUILTIN_NAMES.has(name);
}
