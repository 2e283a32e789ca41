import type { SessionEntry } from "../../src/contracts/session.js";

/** Entries that follow each other, the first numbered `from`. */
export function entries(count: number, from = 0, text = ""): SessionEntry[] {
  return Array.from({ length: count }, (_, index): SessionEntry => {
    const n = from + index;
    const parent = n === 0 ? null : `e${n - 1}`;
    return { v: 1, id: `e${n}`, parent, at: 1_000 + n, runId: "r", turn: 1, type: "custom", name: "n", data: text + n };
  });
}
