/** A variable of the process's environment; `undefined` when it is empty or there is no process (browsers, workers). */
export function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name]?.trim() || undefined;
}
