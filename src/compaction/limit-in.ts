// The window an overflow error tells, for models whose window is not known.
const LIMITS = [
  /maximum (?:context|prompt|model) length (?:is |of )?(?:only )?(\d[\d,_]*)/i,
  />\s*(\d[\d,_]*)\s*maximum/i,
  /maximum number of tokens allowed \((\d[\d,_]*)\)/i,
  /(?:context|token|window) (?:size|limit|window|length)(?! by)[^\d]{0,24}(\d[\d,_]*)/i,
  /only supports? up to (\d[\d,_]*)/i,
  /range of input length should be \[\d+, ?(\d[\d,_]*)\]/i,
];
/** Smaller numbers are something else. Unit: tokens. */
const LEAST_WINDOW = 256;

/** Unit: tokens. `null`: the message does not say. */
export function limitIn(message: string): number | null {
  for (const limit of LIMITS) {
    const tokens = Number(limit.exec(message.slice(0, 4_000))?.[1]?.replace(/[,_]/g, ""));
    if (tokens >= LEAST_WINDOW) return tokens;
  }
  return null;
}
