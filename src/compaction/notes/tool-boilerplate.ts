// Lines that a tool prints around its content: how much there is, what was cut, how to go on. They say something about
// the page, not about the work, and are wrong as soon as they are quoted somewhere else.

/** The subjects of boilerplate: pages, what is missing, and how to see it. */
const ABOUT_THE_PAGE =
  /\b(?:pages?|offset|column|head_limit|limit|cursor|truncated|omitted|shown|showing|left out|cut|not kept|more|total|newest \d|the end of|too large for the conversation|whole output|read_file|characters|bytes|lines? \d|entry matches|entries match)\b/i;

/** Longer lines are content. Unit: characters. */
const MAX_CHARS = 400;
/** Every line of the kind holds a bracket, an ellipsis, a number or one of these words. */
const MAY_BE = /[[(…\d]|\.\.\.|output|^to read|^more|^go on|^continue|^use|^for more/i;

/** A whole line in brackets, or one that only marks where something is missing. */
const BRACKETED = /^\[[^\]]*\]?$|^\([^)]*\)$|^[^[]*…\]$/u;
const ELLIPSIS = /^(?:…|\.{3})\s*(?:\(?(?:and )?\+?[\d,.]+ (?:more|others?)\b.*)?$|^-? ?and [\d,.]+ more\b.*$/iu;

const SENTENCES: readonly RegExp[] = [
  /^(?:showing|displaying|listing) \d[\d,.]*\b/i,
  /^(?:lines?|rows|results|entries|matches|pages?|hits|items) \d[\d,.]*\s*(?:-|–|to|of)\s*\d/iu,
  /^\d[\d,.]* (?:entry matches|entries match|matches|results|files?|rows|lines)\b[^.]*(?:\(page \d|best first|shown|of \d)/i,
  /^(?:to read one as a whole|more: the same (?:query|entry)|go on with|continue with|use (?:the )?(?:offset|limit|page|cursor)\b|for more,)/i,
  /\b(?:offset|page|cursor|head_limit)\s*[=:]\s*"?\d+/i,
  /^\W*(?:the command )?exit(?:ed)?(?: with)?(?: code| status)?:? \d+\W*$/i,
  /^\(?no (?:new )?output\b/i,
  /\boutput (?:was |is )?(?:truncated|cut)\b/i,
  /\bis in "[^"]+"; read it with read_file\b/,
  /^\[[\w.-]+\] (?:user|assistant|steering|result of \S+), \d{4}-\d\d-\d\d/,
];

/** Whether a line is page furniture of a tool rather than content. */
export function isPageFurniture(line: string): boolean {
  const text = line.trim();
  if (text.length > MAX_CHARS || !MAY_BE.test(text)) return false;
  if (ELLIPSIS.test(text)) return true;
  if (BRACKETED.test(text) && ABOUT_THE_PAGE.test(text)) return true;
  return SENTENCES.some((sentence) => sentence.test(text));
}
