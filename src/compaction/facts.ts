// Which lines of a text are worth more than the rest, when there is room for few. Idea: what cannot be found out again
// or guessed (decisions, wishes, problems, names, numbers) is marked by words and shapes that any session uses.

const DECISION =
  /\b(?:decid\w+|decision|agreed?|we(?:'ll| will| should)|chose|chosen|instead of|rather than|must|never|always|prefers?|preference|should(?:n't| not)?|do(?:n't| not)|important|remember|note|constraint|require\w*|convention|policy|wants?|only)\b|决定|必须|不要|总是|偏好|注意|请用|決め|必ず|결정|반드시/i;
const PROBLEM =
  /\b(?:bugs?|errors?|fail\w*|broken|crash\w*|todo|fixme|unresolved|still|blocked|regress\w+|root cause|because|workaround|leaks?|race|deadlock|missing|undefined|exception|panic|timed? ?out|deprecated|flaky|cannot|can't|wrong)\b|错误|失败|问题|原因|バグ|失敗|오류|실패/i;
/** Names and numbers nobody can guess. */
const IDENTIFIERS = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/,
  /\b[A-Z][A-Z0-9]{1,9}-\d+\b/,
  /https?:\/\/\S+/,
  /(?:^|[\s"'`(])(?:\.{0,2}\/)?[\w.@-]+\/[\w./@-]+/,
  /\b[\w-]+\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|h|cpp|cs|sql|sh|json|ya?ml|toml|md|html|css|env|lock)\b/,
  /`[^`]{2,80}`/,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/,
  /\bv?\d+\.\d+(?:\.\d+)+\b/,
  /\b[\w.-]+@[\w-]+\.[\w.]+\b/,
  /(?:\bport\b|:)\s?\d{2,5}\b/i,
  /\b[\w.-]+\s?=\s?\S+/,
  /#\d{2,}\b/,
];
const NUMBER = /\d/;
/** Lines of source code are full of such words and shapes, and can be read again. */
const CODE =
  /^(?:\d+[\t:|])|[;{}([,]$|=>|===|!==|&&|\|\||\?\.|^\s*(?:import|export|const|let|var|function|return|if|for|while|class|def|func|fn|pub|public|private|async|await|@\w+|\/\/|\/\*|\*)\b|^\s*(?:\/\/|\/?\*)/;

/** How much a line says that cannot be guessed: 0 is nothing. */
export function weightOf(line: string): number {
  const isCode = CODE.test(line);
  let weight = 0;
  if (!isCode && DECISION.test(line)) weight += 4;
  if (!isCode && PROBLEM.test(line)) weight += 3;
  let names = 0;
  for (const shape of IDENTIFIERS) if (shape.test(line)) names++;
  weight += Math.min(names, 3) * 2;
  if (NUMBER.test(line)) weight += 1;
  return isCode ? weight / 3 : weight;
}

/** A line longer than this is read sentence by sentence. Unit: characters. */
const LONG_LINE = 240;
/** Lines looked at in one text: its head and its tail, where there are more. */
const MAX_LINES = 2_000;

/** Lines and, of long lines, sentences; without blanks around them, each once. */
export function linesOf(text: string): string[] {
  let lines = text.split(/\r?\n/);
  if (lines.length > MAX_LINES) lines = [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
  const pieces = lines.flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed.length <= LONG_LINE) return trimmed === "" ? [] : [trimmed];
    return (
      trimmed
        .slice(0, 100 * LONG_LINE)
        .match(/[^.!?。!?]+[.!?。!?]*(?:\s|$)?|.+/g)
        ?.flatMap(inPieces) ?? []
    );
  });
  return [...new Set(pieces)];
}

function inPieces(sentence: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < sentence.length; at += LONG_LINE) pieces.push(sentence.slice(at, at + LONG_LINE).trim());
  return pieces.filter((piece) => piece !== "");
}

/** A line of which there are this many of the same shape is one of a list or a log. */
const COMMON = 3;

/** The lines that say most, in their order, together at most so many characters. Lines like many others say little. */
export function bestLines(text: string, maxChars: number, minWeight = 1): string[] {
  const all = linesOf(text);
  const shapes = new Map<string, number>();
  for (const line of all) shapes.set(shapeOf(line), (shapes.get(shapeOf(line)) ?? 0) + 1);
  const lines = all.map((line, index) => {
    const isCommon = shapes.get(shapeOf(line))! >= COMMON;
    return { line, index, weight: isCommon ? weightOf(line) / 4 : weightOf(line) };
  });
  const best = lines
    .filter(({ weight }) => weight >= minWeight)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  const kept: typeof best = [];
  let left = maxChars;
  for (const each of best) {
    if (each.line.length > left) continue;
    left -= each.line.length + 1;
    kept.push(each);
  }
  return kept.sort((a, b) => a.index - b.index).map(({ line }) => line);
}

/** How a line begins, numbers aside. */
function shapeOf(line: string): string {
  return line.slice(0, 60).replace(/\d+/g, "0").slice(0, 20);
}
