// The window that an overflow error names, for models whose window is not known.
const LIMITS = [
  /maximum (?:context|prompt|model) length (?:is |of )?(?:only )?(\d[\d,_]*)/i,
  /(\d[\d,_]*)(?: tokens?)? maximum (?:context|prompt|model) length/i,
  /limit: \d[\d,_]* \+ \d[\d,_]* > (\d[\d,_]*)/i,
  />\s*(\d[\d,_]*)\s*maximum/i,
  /maximum number of tokens allowed \((\d[\d,_]*)\)/i,
  /\bmax(?:imum)? (?:input |allowed |length is |length of )*(?:tokens?:? ?)?(\d[\d,_]*)/i,
  // A number in brackets may be the error's own.
  /(?:context|token|window) (?:size|limit|window|length)(?! by)[^\d(]{0,24}(?:(\d[\d,_]*)|\((\d[\d,_]*) tokens)/i,
  /(?:only supports? up to|limit of|at most|must be <=) (\d[\d,_]*)/i,
  /range of input length should be \[\d+, ?(\d[\d,_]*)\]/i,
];
/** Smaller numbers are not a window. Unit: tokens. */
const LEAST_WINDOW = 256;

/** Unit: tokens. `null`: the message does not say. */
export function parseContextLimit(message: string): number | null {
  for (const limit of LIMITS) {
    const [, plain, bracketed] = limit.exec(message.slice(0, 4_000)) ?? [];
    const tokens = Number((plain ?? bracketed)?.replace(/[,_]/g, ""));
    if (tokens >= LEAST_WINDOW) return tokens;
  }
  return null;
}
