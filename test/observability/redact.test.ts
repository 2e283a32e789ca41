import { redact } from "loopwright/observability";
import { expect, test } from "vitest";
import { redactJson } from "../../src/observability/redact-json.js";

const letters = (count: number, from = "aB3dE6gH9") => from.repeat(Math.ceil(count / from.length)).slice(0, count);
const hex = (count: number) => letters(count, "0a1b2c3d4e5f6789");

/** Put together here, so that no scanner takes the test for a leak. */
const SECRETS: readonly [string, string][] = [
  ["an Anthropic key", `sk-${"ant"}-api03-${letters(40)}`],
  ["an OpenAI key", `sk-${"proj"}-${letters(40)}`],
  ["a GitHub token", `gh${"p_"}${letters(36)}`],
  ["a fine-grained GitHub token", `github_${"pat_"}${letters(40)}`],
  ["a GitLab token", `gl${"pat-"}${letters(20)}`],
  ["an AWS key id", `AK${"IA"}${letters(16, "ABCD1234EFGH5678")}`],
  ["a Google key", `AI${"za"}${letters(35)}`],
  ["a Slack token", `xo${"xb-"}1234567890-${letters(24)}`],
  ["a Stripe key", `sk_${"live_"}${letters(24)}`],
  ["an npm token", `np${"m_"}${letters(36)}`],
  ["a PyPI token", `py${"pi-"}${letters(60)}`],
  ["a Hugging Face token", `h${"f_"}${letters(34)}`],
  ["a SendGrid key", `S${"G."}${letters(22)}.${letters(43)}`],
  ["a Telegram token", `123456789:A${"A"}${letters(33)}`],
  ["a DigitalOcean token", `dop_${"v1_"}${hex(64)}`],
  ["a Vault token", `hv${"s."}${letters(24)}`],
  ["a JWT", `ey${"J"}${letters(20)}.ey${"J"}${letters(30)}.${letters(43)}`],
  [
    "a private key",
    `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${letters(64)}\n${letters(64)}\n-----END RSA ${"PRIVATE"} KEY-----`,
  ],
  ["a Grafana token", `gl${"sa_"}${letters(32)}_${hex(8)}`],
  ["an age key", `AGE-SECRET-${"KEY-1"}${letters(58, "QPZRY9X8")}`],
];

test.each(SECRETS)("%s is taken out wherever it stands", (_what, secret) => {
  for (const around of [
    (s: string) => s,
    (s: string) => `echo "${s}" | cat`,
    (s: string) => `a=${s}\n`,
    (s: string) => `(${s})`,
  ]) {
    const clean = redact(around(secret));
    expect(clean).not.toContain(secret.slice(8, 40));
    expect(clean).toContain("[redacted");
  }
});

test.each([
  ["password=hunter22", "password=[redacted value]"],
  ["DB_PASSWORD: hunter22", "DB_PASSWORD: [redacted value]"],
  ['{"apiKey": "a b c"}', '{"apiKey": [redacted value]}'],
  ["{'client_secret': 'x y'}", "{'client_secret': [redacted value]}"],
  ["mysql --password hunter22 -u root", "mysql --password [redacted value] -u root"],
  ["AWS_SECRET_ACCESS_KEY=abc/def+ghi", "AWS_SECRET_ACCESS_KEY=[redacted value]"],
  ["curl -H 'Authorization: Bearer abcdefgh123'", "curl -H 'Authorization: [redacted value] [redacted token]'"],
  ["postgres://ada:hunter22@db/x", "postgres://[redacted credentials]@db/x"],
  ["https://x-token:abc@example.com/", "https://[redacted credentials]@example.com/"],
  ["git clone https://hunter22@example.com/x", "git clone https://[redacted credentials]@example.com/x"],
  ["git+https://hunter22:@example.com/x", "git+https://[redacted credentials]@example.com/x"],
  ["secret_key_base: hunter22", "secret_key_base: [redacted value]"],
])("%j becomes %j", (text, clean) => {
  if (text.startsWith("curl")) expect(redact(text)).not.toContain("abcdefgh123");
  else expect(redact(text)).toBe(clean);
});

const PASSWORD = "hunter22-Grüße";

test.each([
  `curl -d "{\\"password\\":\\"${PASSWORD}\\"}" example.com`,
  JSON.stringify({ body: JSON.stringify({ user: "ada", password: PASSWORD }) }),
  JSON.stringify(JSON.stringify({ deep: JSON.stringify({ apiKey: `a\n${PASSWORD}` }) })),
  `Cookie: theme=dark; session=${PASSWORD}; lang=de`,
  `Set-Cookie: sid=${PASSWORD}; Path=/; HttpOnly`,
  `curl -H "Cookie: a=b; c=${PASSWORD}" example.com`,
  JSON.stringify({ headers: { cookie: `a=b; c=${PASSWORD}` } }),
  `GET / HTTP/1.1\\nAuthorization: Custom first ${PASSWORD}\\nHost: x`,
  `Authorization: Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`.concat(` ${"."}`),
  `curl -u ada:${PASSWORD} example.com`,
  `curl --user 'ada:${PASSWORD}' example.com`,
  `deploy --password "my ${PASSWORD}"`,
  `deploy --password 'my ${PASSWORD}'`,
  `export TOKEN="abc"'${PASSWORD}'`,
  `token=abc"${PASSWORD}"`,
  `"password": "first line\n${PASSWORD}"`,
  `"password": "cut off ${PASSWORD}`,
  `DJANGO_SECRET_KEY=${PASSWORD}`,
  `STRIPE_SECRET_KEY: '${PASSWORD}'`,
  `DB_PASS=${PASSWORD}`,
  `password := "${PASSWORD}"`,
  `{ :password => "${PASSWORD}" }`,
  `https://x.blob.core.windows.net/c?sp=r&sig=${PASSWORD}`,
  `https://x.example/?a=1&access_token=${PASSWORD}&b=2`,
  `postgres://ada:p@${PASSWORD}@db/x`,
  `redis://:${PASSWORD}@db`,
  `PHPSESSID=${PASSWORD}`,
  `<server><username>ada</username><password>${PASSWORD}</password></server>`,
  `<db:Password encoding="plain">\n  ${PASSWORD}\n</db:Password>`,
  `<add key="DbPassword" value="${PASSWORD}"/>`,
  `password: |\n  first\n  ${PASSWORD}\nuser: ada`,
  `  "token" : >-\n    ${PASSWORD}`,
  `machine example.com login ada password ${PASSWORD}`,
  `-----BEGIN RSA ${"PRIVATE"} KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${PASSWORD}\n-----END RSA ${"PRIVATE"} KEY-----`,
  JSON.stringify(`-----BEGIN ${"PRIVATE"} KEY-----\n${PASSWORD}\n`),
])("no password is left of %j", (text) => {
  const clean = redact(text);

  expect(clean).toContain("[redacted");
  expect(clean).not.toContain("hunter22");
  expect(clean).not.toContain(Buffer.from(`ada:${PASSWORD}`).toString("base64"));
});

test.each([
  "the password field is required",
  "const tokens = countTokens(text);",
  "https://example.com:8080/a@b",
  "git clone git@example.com:ada/x && git clone ssh://git@example.com/x",
  "https://example.com?to=ada@example.com, https://example.com#@ada, <https://example.com> ada@example.com",
  "git commit -m 'rename the secret garden'",
  "sha256 of the file: 5f2c",
  "task-id-1234567890 skip-me",
  "docker run -u 1000:1000 alpine",
  '{"password":"","token":null}',
  "max_tokens: 4096, passes: 12, first-pass: ok",
  "const all: Map<Token> = new Map<Token>(); // <password></password>",
  "login as ada; the password is asked for",
])("%j stays as it is", (text) => {
  expect(redact(text)).toBe(text);
});

test("fields with a secret's name lose their value, whatever it is, and nothing else does", () => {
  const value = {
    user: "ada",
    password: "x",
    nested: { api_key: ["a", "b"], note: "ok", tokenless: 1, isSecret: true, secret: null },
  };

  expect(redactJson(value)).toEqual({
    user: "ada",
    password: "[redacted value]",
    nested: { api_key: "[redacted value]", note: "ok", tokenless: 1, isSecret: true, secret: null },
  });
});

test("what follows a secret's option in a list of arguments is taken out", () => {
  expect(redactJson(["mysql", "--password", "x y", "-u", "root"])).toEqual([
    "mysql",
    "--password",
    "[redacted value]",
    "-u",
    "root",
  ]);
});

test("redacting is linear, also on hostile text", () => {
  const time = (text: string) => {
    const before = process.cpuUsage().user;
    redact(text);
    return process.cpuUsage().user - before;
  };
  for (const piece of [
    "password",
    "<password>",
    "<token ",
    "password: |\n ",
    "a-",
    "sk-",
    "-----BEGIN ",
    "eyJ",
    "x://",
    '"token":"\\',
    "--secret ",
    "token=",
    "A.b-",
    "token='",
    'token=\\\\"',
    "token=\\\\",
    'token="\\"',
    "token=a'b\"c",
    "cookie: ",
    " -u a:",
    "a://b:",
    "http://b",
    "http://a@",
    "eyJaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----a-",
  ]) {
    const [small, large] = [time(piece.repeat(20_000 / piece.length)), time(piece.repeat(160_000 / piece.length))];
    // Eight times the text: a quadratic pattern would take 64 times as long.
    expect({ piece, ratio: large / Math.max(small, 3_000) }).toMatchObject({
      piece,
      ratio: expect.toSatisfy((r: number) => r < 32),
    });
  }
});

test("a host's own shapes are taken out as well", () => {
  expect(redact("order 12-345 shipped", [/\d{2}-\d{3}/g])).toBe("order [redacted text] shipped");
  expect(redact("1-1 and 2-2", [/\d-\d/])).toBe("[redacted text] and [redacted text]");
});
