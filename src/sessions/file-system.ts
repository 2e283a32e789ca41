import * as fs from "node:fs/promises";
import { isHarnessError, SessionError, type SessionErrorCode } from "../contracts/errors.js";

/** The operations the store needs of files: a seam at which tests let them fail. */
export type FileSystem = Pick<
  typeof fs,
  "link" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "unlink" | "writeFile"
>;

/** An open file. */
export type StoreFile = fs.FileHandle;

export const nodeFiles: FileSystem = fs;

/** The code of a failed file operation, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Advice on failures of the machine. */
const REMEDIES: { readonly [code: string]: string } = {
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "the disk quota is used up; free some space",
  EACCES: "this process may not do that; check who owns the directory",
  EPERM: "this process may not do that; check who owns the directory",
  EROFS: "the file system is read-only; choose another directory",
  EMFILE: "this process has too many files open; close some or raise its limit",
  ENFILE: "the machine has too many files open",
  ENOENT: "the directory was removed",
  ENOTDIR: "the directory is a file; choose another one",
  EISDIR: "a directory is where the session's file should be; remove it",
  ELOOP: "a symbolic link is where the session's file should be; remove it",
};
const PASSING = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EAGAIN", "EBUSY"]);

/** The error that the host gets when the machine failed. Errors of our own pass unchanged. */
export function sessionFailure(code: SessionErrorCode, what: string, cause: unknown): Error {
  if (isHarnessError(cause)) return cause;
  const errno = codeOf(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = errno === undefined ? undefined : REMEDIES[errno];
  return new SessionError(code, {
    message: `${what}: ${remedy ? `${remedy} (${reason})` : reason}.`,
    retryable: errno !== undefined && PASSING.has(errno),
    ...(errno !== undefined && { details: { errno } }),
    cause,
  });
}

/** Makes names in a directory survive a loss of power. Windows has no such thing. */
export async function syncDirectory(files: FileSystem, path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await files.open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
