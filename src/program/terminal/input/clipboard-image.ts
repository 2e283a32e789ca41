// A picture of the clipboard, which terminals do not paste: the system's own programs are asked for it.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs that print the picture as PNG, in the order in which they are tried. */
const READERS: readonly (readonly [program: string, args: readonly string[]])[] = [
  ["wl-paste", ["--type", "image/png"]],
  ["xclip", ["-selection", "clipboard", "-target", "image/png", "-out"]],
  ["osascript", ["-e", "get the clipboard as «class PNGf»"]],
];
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
/** Vendors take no larger ones. Unit: bytes. */
const MAX_BYTES = 5 * 1024 * 1024;
const PATIENCE_MS = 3_000;

/** Writes the picture to a file that is there until the program ends. Resolves with its path, or `undefined` without one. */
export async function clipboardImage(): Promise<string | undefined> {
  for (const [program, args] of READERS) {
    const picture = pictureIn(await output(program, args));
    if (!picture || picture.length > MAX_BYTES) continue;
    const directory = mkdtempSync(join(tmpdir(), "loopwright-clipboard-"));
    process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, "clipboard.png");
    writeFileSync(path, picture, { mode: 0o600 });
    return path;
  }
  return undefined;
}

/** The bytes of a PNG, or its digits as a script prints them. */
function pictureIn(said: Buffer): Buffer | undefined {
  const [, digits] =
    /^«data PNGf([0-9A-F]+)»/.exec(said.subarray(0, 1).equals(PNG.subarray(0, 1)) ? "" : said.toString()) ?? [];
  const bytes = digits === undefined ? said : Buffer.from(digits, "hex");
  return bytes.subarray(0, PNG.length).equals(PNG) ? bytes : undefined;
}

/** The output of a program; empty for one that is not there or fails. */
function output(program: string, args: readonly string[]): Promise<Buffer> {
  const options = {
    encoding: "buffer",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    maxBuffer: 3 * MAX_BYTES,
  } as const;
  return new Promise((resolve) => {
    execFile(program, [...args], options, (error, stdout) => resolve(error ? Buffer.alloc(0) : stdout));
  });
}
