import { ToolError } from "../contracts/errors.js";

/** What `FileAccess` says of a folder where a file is meant. */
export function notAFile(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `"${path}" is a folder. Give the path of a file in it.`,
    details: { path },
  });
}

/** What `FileAccess` says of a file where a folder is meant. */
export function notAFolder(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `"${path}" is a file. Give the path of a folder.`,
    details: { path },
  });
}

/** What `FileAccess` says of a path where nothing is. */
export function notFound(path: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", { message: `There is no file "${path}".`, details: { path } });
}

/** What `FileAccess` says of a folder that is to be removed and is not empty. */
export function notEmpty(path: string): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `"${path}" could not be removed: it is a folder that holds something.`,
    details: { path },
  });
}
