/*
 * Files through the editor, so that what its user has typed and not saved counts. Every path is resolved by the workspace's sandbox
 * first, and what the sandbox refuses never reaches the editor.
 *
 * The disk is read as well: only text is asked of the editor, and where both say the same but for line endings and a byte order mark
 * the file's own bytes count. A file that differs has a version of its own, so that an edit notices when the user types meanwhile.
 */

import { dirname } from "node:path";
import type { ReadTextFileResponse } from "@agentclientprotocol/sdk";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { FileAccess, FileStat, OpenFile } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { quoteName } from "../../text/quote-name.js";
import type { ClientSide } from "../client-side.js";

/** Larger files are read from the disk. Unit: bytes. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Files whose version is asked of the editor, too: those read or written last. */
const MAX_KNOWN = 1_000;

interface Held {
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

export function editorFiles(inner: FileAccess, client: ClientSide): FileAccess {
  const { readsFiles, writesFiles } = client.editor;
  const known = new Set<string>();

  function note(real: string): void {
    known.delete(real);
    known.add(real);
    const [oldest] = known;
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  /** The editor's text of a file, where the disk has another; `null` otherwise. */
  async function unsaved(real: string): Promise<Held | null> {
    const disk = await onDisk(inner, real);
    if (disk === "not text") return null;
    let content: string;
    try {
      content = (await client.request<ReadTextFileResponse>("fs/read_text_file", { path: real })).content;
    } catch {
      return null; // It does not have the file, or does not show it: the disk counts.
    }
    if (typeof content !== "string" || (disk === null && content === "")) return null;
    const text = disk && textOf(disk.bytes);
    if (text != null && plain(text) === plain(content)) return null;
    const bytes = Buffer.from(text == null ? content : inStyleOf(text, content));
    const version = `editor:${sha256(bytes)}`;
    const { mtimeMs = 0, mode = 0o644 } = disk?.stat ?? {};
    return { bytes, stat: { kind: "file", size: bytes.length, mtimeMs, mode, version } };
  }

  async function open(path: string): Promise<OpenFile> {
    const real = await inner.resolve(path, "read");
    note(real);
    const held = readsFiles ? await unsaved(real) : null;
    return held ? heldFile(real, held) : inner.open(path);
  }

  return {
    ...(inner.onDisk !== undefined && { onDisk: inner.onDisk }),
    resolve: (path, access) => inner.resolve(path, access),
    open,
    async stat(path) {
      const real = await inner.resolve(path, "read");
      const held = readsFiles && known.has(real) ? await unsaved(real) : null;
      return held?.stat ?? inner.stat(path);
    },
    async read(path) {
      const real = await inner.resolve(path, "read");
      note(real);
      const held = readsFiles ? await unsaved(real) : null;
      return held?.bytes ?? inner.read(path);
    },
    async write(path, content, options) {
      const text = writesFiles && options?.mode === undefined ? textOf(content) : null;
      if (text === null) return inner.write(path, content, options);
      const real = await inner.resolve(path, "write");
      // It says so itself of a directory, where an editor only fails.
      const isDirectory = await inner.stat(real).then(({ kind }) => kind === "directory", () => false); // biome-ignore format: one line
      if (isDirectory) return inner.write(path, content, options);
      await inner.makeDirectory(dirname(real));
      note(real);
      try {
        await client.request("fs/write_text_file", { path: real, content: text });
      } catch (cause) {
        throw notWritten(path, cause);
      }
      return (readsFiles ? await unsaved(real) : null)?.stat ?? inner.stat(real);
    },
    ...(inner.remove && { remove: (path: string) => inner.remove!(path) }),
    makeDirectory: (path) => inner.makeDirectory(path),
    list: (path) => inner.list(path),
    withLock: (path, access, work) => inner.withLock(path, access, work),
  };
}

/** `null`: there is no such file. */
async function onDisk(files: FileAccess, real: string): Promise<Held | "not text" | null> {
  let file: OpenFile;
  try {
    file = await files.open(real);
  } catch (error) {
    return isHarnessError(error, "PATH_NOT_FOUND") ? null : "not text";
  }
  try {
    const { stat } = file;
    if (stat.size > MAX_TEXT_BYTES) return "not text";
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    for (let count = -1; length < bytes.length && count !== 0; length += count) {
      count = await file.read(bytes.subarray(length), length);
    }
    const whole = bytes.subarray(0, length);
    return textOf(whole) === null ? "not text" : { bytes: whole, stat };
  } finally {
    await file.close();
  }
}

/** UTF-8, and a byte order mark with it; `null` for anything else. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/** Editors may leave out what the file has: its byte order mark, and the CR of its line endings. */
function inStyleOf(old: string, text: string): string {
  const isCrlf = /\r\n/.test(old) && !/(^|[^\r])\n/.test(old) && !text.includes("\r\n");
  const body = isCrlf ? text.replaceAll("\n", "\r\n") : text;
  return old.startsWith("\ufeff") && !body.startsWith("\ufeff") ? `\ufeff${body}` : body;
}

function heldFile(path: string, { bytes, stat }: Held): OpenFile {
  return {
    path,
    stat,
    async read(target, position) {
      const piece = bytes.subarray(position, position + target.length);
      target.set(piece);
      return piece.length;
    },
    close: async () => {},
  };
}

function notWritten(path: string, cause: unknown): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `The editor did not write ${quoteName(path)}: ${describeThrown(cause)}`,
    details: { path },
    cause,
  });
}
