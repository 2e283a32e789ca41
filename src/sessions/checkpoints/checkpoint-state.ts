import { isHarnessError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";
import type { PathState } from "./checkpoint-record.js";

/** More than file tools change, so a larger file is not what one of them left. Unit: bytes. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** The state of a path now, or why nothing may be done there. */
type Found = { readonly state: PathState } | { readonly trouble: string };

/** Looks at a path through the sandbox. Never follows a link: what the journal names are real paths. */
export async function lookAt({ files }: Workspace, path: string): Promise<Found> {
  try {
    if ((await files.resolve(path, "write")) !== path) return { trouble: "a symbolic link leads elsewhere now" };
    const { kind, size, mode, mtimeMs } = await files.stat(path);
    if (kind === "directory") return { state: "directory" };
    if (kind === "other") return { trouble: "it is no longer a file" };
    if (size > MAX_FILE_BYTES) return { trouble: `it has grown to ${size} bytes` };
    const content = await files.read(path);
    return { state: { digest: sha256(content), bytes: content.length, mode, mtimeMs } };
  } catch (error) {
    if (isHarnessError(error, "PATH_NOT_FOUND")) return { state: null };
    if (isHarnessError(error)) return { trouble: `it cannot be used (${error.message.replace(/\.$/, "")})` };
    throw error;
  }
}
