/** A failure of the file system, in words. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission for it",
  EPERM: "this user has no permission for it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file, not a directory",
  ENOTEMPTY: "the directory is not empty",
  EBUSY: "another program is using it, or something is mounted there",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** The reason why a file operation failed, for the middle of a sentence; `undefined` for what is not a failure of the file system. */
export function describeFileFailure(error: unknown): string | undefined {
  const code = failureCode(error);
  if (code === undefined) return undefined;
  return Object.hasOwn(WORDS, code) ? WORDS[code] : `the file system answered ${code}`;
}

/** The code of a failure of a file system, such as `ENOENT`: some say it in the message alone. `undefined` for another error. */
export function failureCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = /^(E[A-Z0-9]+):/.exec(error.message)?.[1] } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
