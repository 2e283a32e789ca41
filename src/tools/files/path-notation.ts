/*
 * Paths as they are written elsewhere: in quotes, after an `@`, as an address, with the separators of Windows, with whitespace
 * or a line break behind. No file of such a name is made by mistake; one that exists is still found under it.
 */
import { fileURLToPath } from "node:url";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";

/** The likeliest meaning of a path when nothing has its name; `null` when it is written plainly. */
export function plainPath(path: string): string | null {
  let plain = path.trim().replace(/^@(?=["'`])/, "");
  const [, , quoted] = /^(["'`])(.+)\1$/s.exec(plain) ?? [];
  if (quoted !== undefined) plain = quoted.trim();
  if (/^file:/i.test(plain)) plain = fromAddress(plain);
  plain = plain.replace(/^@(?=[\w./\\])/, "");
  if (process.platform !== "win32" && !plain.includes("/")) plain = plain.replaceAll("\\", "/");
  return plain === path || plain === "" ? null : plain;
}

/**
 * Makes sure that a path that names no file is not another way to write one.
 *
 * @throws ToolError `PATH_NOT_FOUND` that names the path it most likely means
 */
export async function assertPlainPath(workspace: Workspace, path: string): Promise<void> {
  const plain = plainPath(path);
  if (plain === null) return;
  // A directory such as `@types` is a name like others, unless what stands behind the sign exists.
  const isScope = `@${plain}` === path;
  if (isScope && !(await exists(workspace, plain)) && !(await isBeside(workspace, plain, path))) return;
  throw new ToolError("PATH_NOT_FOUND", {
    message: `There is no file ${quoteName(path)}, and none was made. Did you mean ${quoteName(plain)}? Give the path plainly, without quotes, an @, an address or whitespace around it, and with "/" between names.`,
    details: { path, didYouMean: plain },
  });
}

/** Whether the directory of the plain path exists, and that of the path as it was written does not. */
async function isBeside(workspace: Workspace, plain: string, path: string): Promise<boolean> {
  const first = /^[^/]+(?=\/)/.exec(plain)?.[0];
  if (first === undefined) return false;
  return (await exists(workspace, first)) && !(await exists(workspace, /^[^/]+/.exec(path)![0]));
}

async function exists(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.files.stat(await workspace.resolve(path, "read"));
    return true;
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    return false;
  }
}

function fromAddress(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return address.replace(/^file:(?:\/\/)?/i, "");
  }
}
