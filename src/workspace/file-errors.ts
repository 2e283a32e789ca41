import { ToolError } from "../contracts/errors.js";
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

/** The error of `FileAccess` for a directory that is to be removed and is not empty. */
export function notEmpty(path: string): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `${quoteName(path)} could not be removed: the directory is not empty.`,
    details: { path },
  });
}
