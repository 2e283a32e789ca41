import { SandboxError, ToolError } from "../contracts/errors.js";
import { describeFileFailure, failureCode } from "../files/file-failure.js";
import { quoteName } from "../text/quote-name.js";

/** The error of `FileAccess` for a directory where a file is meant. */
export function notAFile(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is a directory. Give the path of a file in it.`,
    details: { path },
  });
}

/** The error of `FileAccess` for a file where a directory is meant. */
export function notADirectory(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is a file. Give the path of a directory.`,
    details: { path },
  });
}

/** The error of `FileAccess` for a path where nothing is. */
export function notFound(path: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", { message: `There is no file ${quoteName(path)}.`, details: { path } });
}

/** The error of `FileAccess` for a path that was exchanged again and again. */
export function swapped(path: string): SandboxError {
  return new SandboxError("PATH_OUTSIDE", {
    message: `The path ${quoteName(path)} is refused: it was replaced while it was being opened. Use a path nobody else is changing.`,
    details: { path },
  });
}

/** A file system's error in words; others as they are. */
export function readable(error: unknown, path: string): unknown {
  const code = failureCode(error);
  if (code === "ENOENT") return notFound(path);
  const why = error instanceof ToolError ? undefined : describeFileFailure(error);
  if (why === undefined) return error;
  return new ToolError("TOOL_FAILED", {
    message: `${quoteName(path)} could not be used: ${why}.`,
    details: { path, reason: String(code) },
    cause: error,
  });
}
