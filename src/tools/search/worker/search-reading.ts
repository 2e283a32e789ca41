/** Lines and whole files larger than this are not searched. Unit: bytes. */
export const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/**
 * The part of the search worker's program that reads: `openFile(path)` answers a file, and `readTexts(file)` its texts.
 *
 * Files are read in pieces that end in a line break. A file with a NUL in its first 8 KB is binary and skipped; one with
 * a NUL further on ends there, as for ripgrep. UTF-16 is read by its mark. Where the system says which file a descriptor
 * is, `isExchanged()` is true for another file than the one asked for: a directory on its way was exchanged for a link.
 */
export const SEARCH_READING = `
const BINARY_BYTES = 8 * 1024;
const MAX_WHOLE_BYTES = ${MAX_WHOLE_BYTES};
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
const literal = task.literal === null ? null : Buffer.from(task.literal);
const hasDescriptors = process.platform === "linux" && fs.existsSync("/proc/self/fd");
let buffer = Buffer.allocUnsafeSlow(1024 * 1024);

function openFile(path) {
  return task.bridge ? new BridgedFile(path) : new DiskFile(path);
}

class DiskFile {
  #path;
  #file;

  constructor(path) {
    this.#path = path;
    this.#file = fs.openSync(path, OPEN_FLAGS);
  }

  /** Reads on; fewer bytes than there is room for at the end only. */
  read(target) {
    return fs.readSync(this.#file, target, 0, target.length, null);
  }

  isExchanged() {
    return hasDescriptors && fs.readlinkSync("/proc/self/fd/" + this.#file) !== this.#path;
  }

  close() {
    fs.closeSync(this.#file);
  }
}

/** Read by the thread that started this one, which also looks whether it is the file that was asked for. */
class BridgedFile {
  #path;
  #position = 0;

  constructor(path) {
    this.#path = path;
  }

  read(target) {
    const state = new Int32Array(task.bridge.state);
    let filled = 0;
    for (let count = 1; count > 0 && filled < target.length; ) {
      Atomics.store(state, 0, 0);
      parentPort.postMessage({ bytesOf: this.#path, position: this.#position });
      Atomics.wait(state, 0, 0);
      if (state[1] < 0) throw Object.assign(new Error("not readable"), { code: "EIO" });
      count = Math.min(state[1], target.length - filled);
      target.set(new Uint8Array(task.bridge.bytes, 0, count), filled);
      filled += count;
      this.#position += count;
    }
    return filled;
  }

  isExchanged() {
    return false;
  }

  close() {}
}

const TOO_LARGE = {};

/** The file in texts of whole lines; the text is null when it cannot match. TOO_LARGE ends a file that has one. */
function* readTexts(file) {
  let filled = 0;
  for (let first = true; ; ) {
    const read = file.read(buffer.subarray(filled));
    let end = filled + read;
    let isLast = end < buffer.length; // a file answers less than was asked for at its end only
    if (first && hasMark(0xff, 0xfe)) return yield* readUtf16(file, end, "utf-16le");
    if (first && hasMark(0xfe, 0xff)) return yield* readUtf16(file, end, "utf-16be");
    const nul = buffer.subarray(filled, end).indexOf(0);
    if (nul >= 0) {
      if (first && filled + nul < BINARY_BYTES) return;
      isLast = true;
      end = filled + nul;
    }
    const cut = isLast ? end : task.multiline ? 0 : buffer.subarray(0, end).lastIndexOf(10) + 1;
    if (cut === 0 && !isLast) {
      if (buffer.length >= MAX_WHOLE_BYTES) return yield TOO_LARGE;
      filled = end;
      enlarge();
      continue;
    }
    const start = first && hasMark(0xef, 0xbb, 0xbf) ? 3 : 0;
    if (cut > start) yield decode(start, cut);
    if (isLast) return;
    first = false;
    buffer.copyWithin(0, cut, end);
    filled = end - cut;
  }
}

function hasMark(...mark) {
  return mark.every((byte, i) => buffer[i] === byte);
}

function enlarge() {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 4);
  buffer.copy(larger);
  buffer = larger;
}

function decode(start, end) {
  const bytes = buffer.subarray(start, end);
  if (literal && !bytes.includes(literal)) return { text: null, bytes };
  return { text: bytes.toString("utf8"), bytes };
}

function* readUtf16(file, filled, encoding) {
  while (filled === buffer.length) {
    if (buffer.length >= MAX_WHOLE_BYTES) return yield TOO_LARGE;
    enlarge();
    filled += file.read(buffer.subarray(filled));
  }
  const text = new TextDecoder(encoding).decode(buffer.subarray(0, filled));
  if (text !== "") yield { text };
}
`;
