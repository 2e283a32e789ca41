/*
 * Lines that represent code the model did not repeat, such as `// ... rest unchanged`. Written into a file they would
 * replace that code.
 */
const COMMENT = String.raw`(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--|\{\s*\/\*+|"""|'''|rem\b)\s*`;
const ELLIPSIS = String.raw`(?:\.{3,}|…)`;
const CODE = `(?:code|files?|functions?|class(?:es)?|methods?|modules?|implementation|components?|script|document|content|sections?|imports?|fields?|properties|lines|cases|body|logic|tests?|styles?|rules?|markup|config(?:uration)?|options?|routes?|entries|values?)`;
const PART = String.raw`(?:the |this |your |all )*(?:(?:rest|remainder)(?: of (?:the |this |your )?(?:\w+ )?${CODE})?|(?:remaining|existing|other|previous|original|unchanged) (?:\w+ )?${CODE})`;

const PLACEHOLDERS = [
  // `// ... existing code ...`, `# ... (rest of the file unchanged)`
  `^${COMMENT}${ELLIPSIS}.{0,80}\\b(?:rest|remaining|remainder|existing|unchanged|unmodified|same as|as before|omitted|${PART})\\b`,
  // `// rest of the code...`
  `^${COMMENT}[\\[(]?${PART}.{0,40}${ELLIPSIS}`,
  // `// the rest of the file stays unchanged`
  `^${COMMENT}[\\[(]?${PART}\\b.{0,40}\\b(?:unchanged|unmodified|the same|as before|goes here|omitted)\\b`,
  // `... existing code ...`, `[... rest of the file ...]`
  `^[\\[({<*]?\\s*${ELLIPSIS}\\s*(?:\\(\\s*)?${PART}.{0,40}(?:${ELLIPSIS}|unchanged|[\\])}>*])$`,
  `^[\\[({<*]\\s*${PART}.{0,40}(?:unchanged|the same|omitted)\\s*[\\])}>*]$`,
].map((source) => new RegExp(source, "i"));
/** Longer lines are not placeholders. */
const MAX_CHARS = 160;

/** The first line of `newText` that represents code which is not there, unless `oldText` has that line, too. */
export function findPlaceholder(oldText: string, newText: string): string | null {
  if (!/\.{3}|…|unchanged|unmodified|the same|as before|goes here|omitted/i.test(newText)) return null;
  const old = new Set(oldText.split(/\r\n|\n|\r/).map((line) => line.trim()));
  for (const line of newText.split(/\r\n|\n|\r/)) {
    if (line.length > 4 * MAX_CHARS) continue;
    const text = line.trim();
    if (text.length > MAX_CHARS || old.has(text)) continue;
    if (PLACEHOLDERS.some((placeholder) => placeholder.test(text))) return text;
  }
  return null;
}
