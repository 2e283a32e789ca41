const BLOCK = 512;
/** Types of entries that hold a file. */
const FILES = new Set(["", "\0", "0", "7"]);

/**
 * The files in tar archives that follow each other, with a block before those of a number that says "#" and the number. One with a block
 * before it that says "=" and a number has that for its name. What comes to an end in the middle of a file does not have that file.
 */
export function tarContents(bytes: Uint8Array): Map<number, Map<string, Uint8Array>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const archives = new Map<number, Map<string, Uint8Array>>();
  let files = new Map<string, Uint8Array>();
  let long: { path?: string; linkpath?: string; size?: string } = {};
  for (let at = 0; at + BLOCK <= buffer.length; ) {
    const head = buffer.subarray(at, at + BLOCK);
    at += BLOCK;
    if (head[0] === 0) continue;
    if (head[0] === 35) {
      files = new Map();
      archives.set(Number.parseInt(head.toString("latin1", 1, 20), 10), files);
      continue;
    }
    if (head[0] === 61) {
      long = { path: head.toString("latin1", 0, 20).trimEnd() };
      continue;
    }
    const size = long.size === undefined ? sizeOf(head) : Number(long.size);
    if (!(size >= 0) || at + size > buffer.length) break;
    const content = buffer.subarray(at, at + size);
    at += Math.ceil(size / BLOCK) * BLOCK;
    const type = head.toString("latin1", 156, 157);
    if (type === "L") long = { ...long, path: stringIn(content) };
    else if (type === "K") long = { ...long, linkpath: stringIn(content) };
    else if (type === "x") long = recordsIn(content);
    else {
      const name = long.path ?? stringIn(head.subarray(0, 100));
      const first = files.get(long.linkpath ?? stringIn(head.subarray(157, 257)));
      // The second name of a file has its content only in the first.
      if (type === "1" && first) files.set(name, first);
      else if (FILES.has(type)) files.set(name, content);
      long = {};
    }
  }
  return archives;
}

/** Large sizes are binary, behind a bit. */
function sizeOf(head: Buffer): number {
  return head[124] === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(head.toString("latin1", 124, 136), 8);
}

function stringIn(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? field.length : end);
}

/** Lines of a length, a space, a name, "=" and a value, which may hold anything. */
function recordsIn(content: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.toString("latin1", at, at + 10), 10);
    if (!(length > 0)) break;
    const [, name, value] = /^\d+ ([^=]*)=([\s\S]*)\n$/.exec(content.toString("utf8", at, at + length)) ?? [];
    if (name !== undefined && value !== undefined) records[name] = value;
    at += length;
  }
  return records;
}
