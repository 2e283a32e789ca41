import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { FileStat } from "../../contracts/workspace.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import type { DriverEntry, FileDriver } from "../over/file-driver.js";
import { FAILURES } from "./helper-script.js";
import type { LanePool } from "./lane-pool.js";
import { createLooks, kindOf, type MachinePrograms, nulFields } from "./machine-looks.js";
import { manyFiles } from "./machine-many.js";

/** The time a machine has for one operation, and for each MB that goes over the wire. */
const TIMEOUT_MS = 30_000;
const MS_PER_BYTE = 1 / 1_000;
/** The longest answer besides content: the names of a directory. Unit: bytes. */
const MAX_NAMES_BYTES = 64 * 1024 * 1024;
const MAX_STATUS_BYTES = 16 * 1024;
/** The part that is kept of the reason for a failure. */
const MAX_REASON_BYTES = 500;
/** The kinds by the upper bits of a mode. */
const KIND_BITS = new Map<number, FileStat["kind"]>([
  [0x8000, "file"],
  [0x4000, "directory"],
]);

/** Files of a machine, by the functions of its lanes. Each verb is one round trip, and walks asked for together are one. */
export function machineFiles(lanes: LanePool, programs: MachinePrograms): FileDriver {
  const looks = createLooks(lanes, programs);

  async function call(script: string, more: { readonly body?: Uint8Array; readonly maxBytes?: number } = {}) {
    const { body, maxBytes = MAX_STATUS_BYTES } = more;
    const timeoutMs = TIMEOUT_MS + (maxBytes + (body?.length ?? 0)) * MS_PER_BYTE;
    const { bytes, status } = await lanes.ask({ script, body, maxBytes, timeoutMs });
    if (status !== 0) throw failure(status, textOf(bytes.subarray(0, MAX_REASON_BYTES)));
    return bytes;
  }

  return {
    proves: true,
    many: manyFiles(lanes, programs, looks),
    walk: (path) => looks({ path }),
    stat: async (path) => statOf(textOf(await call(`status ${quotedPlace(path)}`))),
    async read(path, position, length) {
      if (position % length !== 0) throw new RangeError("Pieces of a file begin at a multiple of their length.");
      const script = `content ${quotedPlace(path)} ${position / length} ${length}`;
      const bytes = await call(script, { maxBytes: length + MAX_STATUS_BYTES });
      const end = bytes.indexOf(10);
      return { stat: statOf(textOf(bytes.subarray(0, end))), bytes: bytes.slice(end + 1) };
    },
    async write(path, content, mode) {
      const temporary = `.loopwright-${randomBytes(8).toString("hex")}.tmp`;
      const octal = mode === undefined ? "" : (mode & 0o7777).toString(8);
      const script = `replace ${quotedPlace(path)} ${temporary} ${content.length} '${octal}'`;
      return statOf(textOf(await call(script, { body: content })));
    },
    remove: async (path) => void (await call(`erase ${quotedPlace(path)}`)),
    makeDirectory: async (path) => void (await call(`makedirs ${quotedForShell(path)}`)),
    async list(path) {
      return nulFields(await call(`names ${quotedForShell(path)}`, { maxBytes: MAX_NAMES_BYTES })).map(entryOf);
    },
  };
}

/** A field of `names`. */
export function entryOf(field: string): DriverEntry {
  return { name: field.slice(1), kind: kindOf(field) };
}

/** The directory and the name, as words for the functions. */
export function quotedPlace(path: string): string {
  return path === "/" ? "/ ." : `${quotedForShell(posix.dirname(path))} ${quotedForShell(posix.basename(path))}`;
}

/** @throws Error with the code `ESTALE` for a link, a pipe or a device, whose path was not followed or is another one by now */
function statOf(line: string): FileStat {
  const [rawMode = "", size = "", seconds = "", ...version] = line.split(" ");
  const mode = Number.parseInt(rawMode, 16);
  const kind = KIND_BITS.get(mode & 0xf000);
  if (kind === undefined) throw failure(116);
  const fraction = Number(/\.\d+/.exec(version.join(" "))?.[0] ?? 0);
  return {
    kind,
    size: Number(size),
    mtimeMs: (Number(seconds) + fraction) * 1_000,
    mode: mode & 0o7777,
    version: version.join(" ").trimEnd(),
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The error for a status of the functions. */
export function failure(status: number, said = ""): Error {
  const code = FAILURES[status] ?? "EIO";
  return Object.assign(new Error(`${code}: ${said.slice(0, MAX_REASON_BYTES).trim() || `status ${status}`}`), { code });
}
