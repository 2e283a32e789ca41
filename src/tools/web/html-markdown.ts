import { createRequire } from "node:module";
import { findInstalled } from "../../peers/installed-peer.js";
import { PEERS } from "../../peers/peer-table.js";
import { piecesOf, plainText, withoutHidden } from "./html-pieces.js";

/** A worker that needs more than this is ended. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/**
 * Converts piece after piece and sends each, `null` for one that cannot be converted.
 *
 * Plain JavaScript in a string, so that it starts the same way from sources and from a bundle.
 */
const CONVERTER = `
"use strict";
const { parentPort, workerData: { library, pieces } } = require("node:worker_threads");
let converter;
try {
  const { NodeHtmlMarkdown } = require(library);
  converter = new NodeHtmlMarkdown({ keepDataImages: false });
  if (typeof converter.translate("<p>text</p>") !== "string") converter = undefined;
} catch { converter = undefined; }
if (!converter) parentPort.postMessage(false);
else for (const piece of pieces) {
  let markdown = null;
  try { markdown = converter.translate(piece); } catch {}
  parentPort.postMessage(markdown);
}
`;

export interface ConvertedHtml {
  readonly markdown: string;
  /** Whether some of it is bare text, because it could not be converted or not in time. */
  readonly isPartlyPlain: boolean;
  /** The reason why all of it is bare text: the package that converts it is not installed, or a version that cannot do it. */
  readonly withoutConverter?: string;
}

/**
 * Turns HTML into Markdown in a worker thread, within a time.
 *
 * Text that is not converted by then, or needs too much stack or memory, comes as bare text: hostile HTML costs no more than
 * the time. Rejects with the signal's reason when it aborts.
 */
export async function htmlToMarkdown(
  html: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ConvertedHtml> {
  const pieces = piecesOf(withoutHidden(html));
  const library = libraryPath();
  const converted = library === null ? null : await convert(pieces, { library, timeoutMs, signal });
  signal.throwIfAborted();
  const texts = pieces.map((piece, index) => converted?.[index] ?? plainText(piece));
  return {
    markdown: texts.filter((text) => text !== "").join("\n\n"),
    isPartlyPlain: pieces.some((_, index) => typeof converted?.[index] !== "string"),
    ...(converted === null && { withoutConverter: whyNot() }),
  };
}

/** The worker's messages until it was done, failed, or was ended. `null` when the package cannot convert anything. */
async function convert(
  pieces: readonly string[],
  {
    library,
    timeoutMs,
    signal,
  }: { readonly library: string; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<readonly (string | null)[] | null> {
  const converted: (string | null)[] = [];
  let isUnusable = false;
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(CONVERTER, {
    eval: true,
    workerData: { library, pieces },
    resourceLimits: WORKER_LIMITS,
    env: {},
    execArgv: [],
  });
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
    worker.on("message", (sent: string | null | false) => {
      if (sent === false) isUnusable = true;
      else converted.push(sent);
    });
    // Out of memory, for one: the pieces that are missing come as bare text.
    worker.on("error", done);
    worker.on("exit", done);
  });
  await worker.terminate();
  return isUnusable ? null : converted;
}

/** The package to install, for the model to pass on. */
function whyNot(): string {
  const name = "node-html-markdown";
  const { range } = PEERS[name];
  const installed = findInstalled(name);
  if (!installed) return `to get Markdown, the package "${name}" has to be installed`;
  return `version ${installed.version} of the package "${name}" cannot convert it; to get Markdown, install "${name}@${range}"`;
}

/**
 * A worker made from a string resolves packages from the process's directory, not from here. `null` where the package, an
 * optional peer, is not installed, and in a bundle that does not know where it is.
 */
function libraryPath(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return require.resolve("node-html-markdown");
  } catch {
    return null;
  }
}
