const PART = /^\s*(\d+)\s*(ms|[dhms])(?![a-z])/;

/** Splits "1h 30m" into its parts: [{ amount: "1", unit: "h" }, { amount: "30", unit: "m" }]. */
export function tokens(text) {
  const parts = [];
  let rest = text.trim();
  while (rest !== "") {
    const match = PART.exec(rest);
    if (!match) throw new SyntaxError(`"${text}" is not a duration: "${rest}" was not understood.`);
    parts.push({ amount: match[1], unit: match[2] });
    rest = rest.slice(match[0].length);
  }
  return parts;
}
