// Removing secrets from text, by the shapes that issuers give them and by the names people give them.

/** The text in place of a secret; `kind` says what it looked like. */
const MASK = (kind: string) => `[redacted ${kind}]`;

/** A shape of secret. `keep`: the group before it that stays, as the name in `password=…`. */
interface SecretShape {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly keep?: boolean;
}

/**
 * Tokens with a shape of their own. Every pattern is linear: no part of it can match the same text in two ways.
 * Sources: the issuers' documentation of their token formats (read 2026-11).
 */
const SHAPES: readonly SecretShape[] = [
  {
    kind: "private key",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-(?!----)[^-]*){0,64}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { kind: "age key", pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g },
  { kind: "Anthropic key", pattern: /\bsk-ant-[\w-]{16,}/g },
  { kind: "API key", pattern: /\bsk-[A-Za-z0-9][\w-]{15,}/g },
  { kind: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g },
  { kind: "GitLab token", pattern: /\bgl(?:pat|ptt|dt|rt|soat|ft|imt|agent|cbt)-[\w-]{16,}/g },
  { kind: "AWS key", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { kind: "Google key", pattern: /\bAIza[\w-]{30,}/g },
  { kind: "Google token", pattern: /\bya29\.[\w-]{20,}/g },
  { kind: "Slack token", pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,}/g },
  { kind: "Slack webhook", pattern: /\bhttps:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{10,}/g },
  { kind: "Stripe key", pattern: /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g },
  { kind: "npm token", pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { kind: "PyPI token", pattern: /\bpypi-[\w-]{30,}/g },
  { kind: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  { kind: "SendGrid key", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: "Twilio key", pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: "Telegram token", pattern: /\b\d{8,10}:AA[\w-]{32,}/g },
  { kind: "Discord token", pattern: /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/g },
  { kind: "DigitalOcean token", pattern: /\bdo[opr]_v1_[0-9a-f]{40,}/g },
  { kind: "Databricks token", pattern: /\bdapi[0-9a-f]{32}/g },
  { kind: "Mailgun key", pattern: /\bkey-[0-9a-f]{32}\b/g },
  { kind: "Shopify token", pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g },
  { kind: "Vault token", pattern: /\bhv[sbr]\.[\w-]{20,}/g },
  { kind: "Grafana token", pattern: /\bglsa_[A-Za-z0-9]{20,}(?:_[0-9a-f]{8})?/g },
  { kind: "Terraform token", pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{30,}/g },
  { kind: "JWT", pattern: /\beyJ[\w-]{8,1000}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]*(?:\.[\w-]+){3})/g },
  {
    kind: "credentials",
    pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@"'<>]{0,256}:[^\s/"'<>]{1,512}(?=@)/gi,
    keep: true,
  },
  // A user alone may be a token. Not of other protocols: ssh's is a name.
  { kind: "credentials", pattern: /(\bhttps?:\/\/)[^\s/"'<>?#]{1,512}(?=@)/gi, keep: true },
  {
    kind: "credentials", // curl's option; a user and group of numbers is docker's.
    pattern: /((?:\s-u|--(?:proxy-)?user)[\s=]{0,4}["']?)(?!\d+:\d+(?:\s|$))[^\s:"'=]{1,256}:[^\s"']{1,512}/g,
    keep: true,
  },
  { kind: "token", pattern: /(\b(?:Bearer|Basic|Token|ApiKey)\s+)[\w.~+/=-]{8,}/gi, keep: true },
];

/** The endings of names whose value is a secret, whatever it looks like. */
const SECRET_WORD = `(?:${[
  "passw(?:or)?d",
  "passphrase",
  "passcode",
  "_pass",
  "pwd",
  "secret",
  "token",
  "(?:api|access|account|secret|private|encryption|signing|master|deploy|shared[_-]?access)[_-]?key(?:[_-]?base)?",
  "credentials?",
  "auth(?:orization)?",
  "cookie",
  "sess(?:ion)?[_-]?id",
  "\\bconnect\\.sid",
  "signature",
  "\\bsig",
].join("|")})`;
/** A quote, also one within a string within a string, as in `"{\"token\":\"…\"}"`. */
const QUOTE = `\\\\{0,8}["']`;
/** The shape of a value: pieces in quotes and bare ones, side by side. An end of the text closes a quote. */
const VALUE = `(?!\\[redacted|(?:null|true|false|undefined)(?:[\\s"',;&)}\\]]|$))(?:${[
  `\\\\{1,8}["'](?:[^"'\\\\]|\\\\{1,8}[^"'\\\\]){1,20000}(?:${QUOTE}|$)`,
  `"(?:[^"\\\\]|\\\\[^]){1,20000}(?:"|$)`,
  `'[^']{1,20000}(?:'|$)`,
  `[^\\s"',;&)}\\]]{1,4096}`,
].join("|")}){1,8}`;

/** A value assigned to such a name, or following it as an option; the name stays. */
const NAMED: readonly SecretShape[] = [
  {
    kind: "value", // A header holds spaces and semicolons.
    pattern: new RegExp(
      `((?:cookie|authorization)(?:${QUOTE})?\\s{0,4}:\\s{0,4}(?:${QUOTE})?)[^\\r\\n"'\\\\]{1,8192}`,
      "gi",
    ),
    keep: true,
  },
  {
    kind: "value", // Lines below a name in YAML.
    pattern: new RegExp(
      `(${SECRET_WORD}["']?[ \\t]{0,4}:[ \\t]{0,4}[|>][-+\\d]{0,2}[ \\t]{0,4}\\r?\\n)(?:[ \\t][^\\n]{0,4096}(?:\\n|$)){1,64}`,
      "gi",
    ),
    keep: true,
  },
  {
    kind: "value", // An element of XML.
    pattern: new RegExp(`(<[\\w:.-]{0,64}${SECRET_WORD}(?:\\s[^<>]{0,256})?>)[^<]{1,4096}(?=</)`, "gi"),
    keep: true,
  },
  {
    kind: "value", // An attribute that holds the value of the one before.
    pattern: new RegExp(`(${SECRET_WORD}["']\\s{1,4}value\\s{0,4}=\\s{0,4})${VALUE}`, "gi"),
    keep: true,
  },
  { kind: "value", pattern: /(\blogin\s{1,4}\S{1,256}\s{1,4}password\s{1,4})\S{1,512}/gi, keep: true }, // .netrc
  {
    kind: "value",
    pattern: new RegExp(`(${SECRET_WORD}(?:${QUOTE})?\\s{0,4}(?:=>|:?=|:)\\s{0,4})${VALUE}`, "gi"),
    keep: true,
  },
  { kind: "value", pattern: new RegExp(`(--?[\\w.-]{0,64}${SECRET_WORD}\\s{1,4})(?!-)${VALUE}`, "gi"), keep: true },
];
/** Most strings hold no secret, and skip the patterns above. */
const ANY_SECRET_WORD = new RegExp(SECRET_WORD, "i");

const SECRET_NAME = new RegExp(`${SECRET_WORD}$`, "i");

/** A string without what looks like a secret. Linear in its length. */
export function redact(text: string, more: readonly RegExp[] = []): string {
  let clean = text;
  const shapes = ANY_SECRET_WORD.test(text) ? [...SHAPES, ...NAMED] : SHAPES;
  for (const { kind, pattern, keep } of shapes) {
    clean = clean.replace(pattern, (_all, name: unknown) => `${keep ? String(name) : ""}${MASK(kind)}`);
  }
  for (const pattern of more) clean = clean.replace(everywhere(pattern), MASK("text"));
  return clean;
}

/** Whether a field of this name holds a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Without the flag only the first secret would go. */
function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
}
