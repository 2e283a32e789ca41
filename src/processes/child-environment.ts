const INHERITED = ["PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"];

/**
 * The environment of a child process: an allow-list of the host's variables, then `extra` on top.
 *
 * Inherited are `PATH`, `HOME`, `USER`, `SHELL`, `LANG`, `LC_*`, `TERM`, `TMPDIR` and `TZ`. Nothing else of the host
 * reaches a child, so its keys and tokens do not leak unless it names them in `extra`.
 */
export function childEnvironment(
  extra: Readonly<Record<string, string>> = {},
  host: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    const inherited = INHERITED.includes(name) || name.startsWith("LC_");
    if (inherited && value !== undefined) environment[name] = value;
  }
  return { ...environment, ...extra };
}
