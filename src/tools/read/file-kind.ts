const SAMPLED_BYTES = 8_192;

interface Magic {
  readonly type: string;
  matches(start: Buffer): boolean;
}

const startsWith = (text: string) => (start: Buffer) => start.toString("latin1", 0, text.length) === text;

const IMAGES: readonly Magic[] = [
  { type: "image/png", matches: startsWith("\x89PNG\r\n\x1a\n") },
  { type: "image/jpeg", matches: startsWith("\xff\xd8\xff") },
  { type: "image/gif", matches: (start) => startsWith("GIF87a")(start) || startsWith("GIF89a")(start) },
  { type: "image/webp", matches: (start) => startsWith("RIFF")(start) && start.toString("latin1", 8, 12) === "WEBP" },
  // Two letters alone may begin a string; the reserved zeros and the size of the second header decide.
  {
    type: "image/bmp",
    matches: (start) =>
      startsWith("BM")(start) && start.length >= 18 && start.readUInt32LE(6) === 0 && start.readUInt32LE(14) <= 124,
  },
];

/** The kind that `binaryKind` gives a document that models can read. */
export const PDF_KIND = "PDF document";

const OTHERS: readonly Magic[] = [
  { type: PDF_KIND, matches: startsWith("%PDF-") },
  { type: "ZIP archive or a document packed as one", matches: startsWith("PK\x03\x04") },
  { type: "gzip archive", matches: startsWith("\x1f\x8b") },
  { type: "bzip2 archive", matches: (start) => startsWith("BZh")(start) && start.includes(0) },
  { type: "xz archive", matches: startsWith("\xfd7zXZ\0") },
  { type: "zstd archive", matches: startsWith("\x28\xb5\x2f\xfd") },
  { type: "ELF program or library", matches: startsWith("\x7fELF") },
  { type: "Windows program or library", matches: (start) => startsWith("MZ")(start) && start.includes(0) },
  { type: "SQLite database", matches: startsWith("SQLite format 3\0") },
  { type: "WebAssembly module", matches: startsWith("\0asm") },
];

/** The media type of an image models can see, by its first bytes; `null` for other files. */
export function imageType(start: Uint8Array): string | null {
  return typeIn(IMAGES, start);
}

/** The kind of binary file that begins like this; `null` for a string, which has no NUL near its start. */
export function binaryKind(start: Uint8Array): string | null {
  const named = typeIn(OTHERS, start);
  if (named) return named;
  return start.subarray(0, SAMPLED_BYTES).includes(0) ? "binary file" : null;
}

function typeIn(kinds: readonly Magic[], start: Uint8Array): string | null {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.length);
  return kinds.find((kind) => kind.matches(bytes))?.type ?? null;
}
