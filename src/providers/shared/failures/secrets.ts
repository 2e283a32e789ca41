/** Removes secrets from a string. */
export type Scrub = (text: string) => string;

const HIDDEN = "[secret]";

/** Shorter values are too common in ordinary text to be taken for secrets. */
const MIN_SECRET_CHARS = 6;

/** The usual forms of keys and credentials, for those that were not declared. */
const LOOKS_SECRET = [
  /\b(?:sk|pk|rk|gsk|xai|hf|key|pplx|csk|nvapi|r8)[-_][A-Za-z0-9][\w-]{10,}/g,
  /\bAIza[\w-]{20,}/g,
  /\beyJ[\w-]{8,1000}\.[\w-]{8,}\.[\w-]+/g,
  /(?<=\b(?:Bearer|Basic)\s)\s*[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/)[^\s/@]{1,200}(?=@)/g,
];

/** A scrubber for these secrets and for everything that looks like one. */
export function createScrub(secrets: readonly (string | undefined)[]): Scrub {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_CHARS) as string[];
  known.sort((a, b) => b.length - a.length);
  return (text) => {
    for (const secret of known) text = text.replaceAll(secret, HIDDEN);
    for (const pattern of LOOKS_SECRET) text = text.replace(pattern, HIDDEN);
    return text;
  };
}
