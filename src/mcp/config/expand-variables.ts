// `${NAME}` and `${NAME:-default}` of a configuration file. What has no value is reported, never guessed: a server with
// half a token would fail later, and say something else.

/** A string with its variables replaced, or the first one that cannot be. */
export type Expanded = { readonly text: string } | { readonly problem: string };

const REFERENCE = /\$\{([^{}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  let problem: string | undefined;
  const expanded = text.replace(REFERENCE, (whole, inner: string) => {
    const at = inner.indexOf(":-");
    const name = at === -1 ? inner : inner.slice(0, at);
    const fallback = at === -1 ? undefined : inner.slice(at + 2);
    if (!NAME.test(name)) {
      problem ??= unknownForm(whole, name);
      return "";
    }
    // An empty variable counts as none where there is a default, as in a shell.
    const value = env[name] === "" && fallback !== undefined ? undefined : env[name];
    if (value === undefined && fallback === undefined) {
      problem ??= `"${whole}" has no value: set the environment variable ${name}, or write "\${${name}:-default}"`;
    }
    return value ?? fallback ?? "";
  });
  return problem === undefined ? { text: expanded } : { problem };
}

function unknownForm(whole: string, name: string): string {
  const [, kind, variable = ""] = /^(\w+):(.*)$/.exec(name) ?? [];
  const shown = whole.slice(0, 100);
  if (kind === "env" && NAME.test(variable)) return `"${shown}" is another tool's form; write "\${${variable}}"`;
  if (kind === "input")
    return `"${shown}" asks a person for a value, which cannot be done here; put it into an environment variable`;
  return `"${shown}" is not a variable: expected "\${NAME}" or "\${NAME:-default}"`;
}
