/**
 * What bash reads before the command (`BASH_ENV`), so that the command itself is passed unchanged.
 *
 * On exit, it writes down the current and the previous directory. A trap for EXIT that the command sets gets the same line
 * at its end. The trap's own commands are hidden from `set -x`, and it leaves the exit code alone.
 */
export function startScript(options: {
  /** The file the directories are written to. */
  readonly record: string;
  /** The limit on file locks that marks all it starts. */
  readonly lockLimit: string | undefined;
  /** The host's own, read afterwards. */
  readonly bashEnv: string | undefined;
}): string {
  const path = quote(options.record);
  // In a directory that is gone, what the shell calls it is all there is.
  const record = `{ { builtin pwd -P || builtin printf '%s\\n' "\${PWD-}"; builtin printf '\\0%s' "\${OLDPWD-}"; } >|${path}; } 2>/dev/null`;
  return `
builtin trap -- ${quote(record)} EXIT
trap() {
  builtin trap "$@" || return
  [[ $BASH_SUBSHELL == 0 ]] || return 0
  [[ $(builtin trap -p EXIT) == *${path}* ]] && return 0
  eval "set -- $(builtin trap -p EXIT)"
  builtin trap -- "\${3-}"$'\\n'${quote(record)} EXIT
}
${options.lockLimit === undefined ? "" : `builtin ulimit -x ${options.lockLimit} 2>/dev/null`}
unset BASH_ENV
${options.bashEnv === undefined ? "" : `export BASH_ENV=${quote(options.bashEnv)}; . "$BASH_ENV"`}
`;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
