import { fstatSync } from "node:fs";
import { UsageError } from "../exit-codes.js";

const MAX_CHARS = 10_000_000;
/** A script may leave an input open that nothing is ever written to. With a prompt on the command line it is not needed. */
const FIRST_BYTE_MS = 3_000;

/**
 * The piped input, whole; `""` for a terminal and for no input. With `isNeeded` it is waited for, however long it takes;
 * otherwise `onSilence` is called when nothing has come in time, and what comes later is not read.
 *
 * @throws UsageError for more than any model takes
 */
export async function readPiped(
  input: NodeJS.ReadStream & { readonly fd: number },
  isNeeded: boolean,
  onSilence: () => void,
): Promise<string> {
  if (input.isTTY || !isReadable(input.fd)) return "";
  const chunks: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    onSilence();
    input.destroy();
  };
  if (!isNeeded) timer = setTimeout(giveUp, FIRST_BYTE_MS);
  input.setEncoding("utf8");
  try {
    for await (const chunk of input) {
      clearTimeout(timer);
      length += chunk.length;
      if (length > MAX_CHARS) throw new UsageError(`What is piped in is longer than ${MAX_CHARS} characters.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError || isNeeded) throw error;
  } finally {
    clearTimeout(timer);
  }
  return chunks.join("");
}

/** Whether something may come: a closed input, or /dev/null, has nothing. */
function isReadable(fd: number): boolean {
  try {
    const about = fstatSync(fd);
    return about.isFIFO() || about.isFile() || about.isSocket();
  } catch {
    return false;
  }
}
