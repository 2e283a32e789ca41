/** The directories a command may stand in; `null` when they are not known, empty where the script cannot come. */
export type Directories = readonly string[] | null;

/** The directories after a command that succeeded, and after one that failed. Empty: the script ends there. */
export interface Outcome {
  readonly ok: Directories;
  readonly fail: Directories;
}

const MAX_DIRECTORIES = 4;
export function joinDirectories(left: Directories, right: Directories): Directories {
  if (left === null || right === null) return null;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_DIRECTORIES ? null : all;
}

/** The directories after a command, whether it succeeded or not. */
export function eitherWay({ ok, fail }: Outcome): Directories {
  return joinDirectories(ok, fail);
}
