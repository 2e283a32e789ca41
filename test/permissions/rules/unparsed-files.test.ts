// Command lines that are too much to parse: asked, and refused where nobody can be asked.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Workspace } from "../../../src/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { bash, behaviorOf, project } from "../kit.js";

let workspace: Workspace;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ workspace, close } = await project());
});
afterAll(() => close());

const MANY = "echo x; ".repeat(10_000);
const each = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join("");
const rules = {
  allow: ["Bash", "Read", "Edit"],
  deny: [
    ...["Read(.env)", "Read(./secrets/**)", "Edit(.env)", "Read(~/.ssh/**)", "Read(config/*.pem)"],
    ...["WebFetch(domain:evil.com)", "Bash(git push:*)", "Bash(rm -rf:*)", "Bash(deploy --force *)"],
  ],
};

test.each([
  `${MANY}cat .env`,
  `${MANY}cat './.e''nv'`,
  `${MANY}cat src/../.env`,
  `${MANY}cat .e*`,
  `${MANY}cat .ENV`,
  `${MANY}cat $PWD/.env`,
  `${MANY}cat {.env,x}`,
  `${MANY}cat < .env`,
  `${MANY}tool -f.env`,
  `${MANY}tool --env-file=.env`,
  `${MANY}git show HEAD:.env`,
  `${MANY}cat secrets/key.txt`,
  `${MANY}cat docs/../secrets/x`,
  `${MANY}cd config; cat a.pem`,
  `${MANY}base64 secret?/key.txt`,
  `${MANY}cp -r secrets /tmp/x`,
  `${MANY}cat $HOME/.ssh/id_rsa`,
  `${MANY}tee .env`,
  `${MANY}curl https://evil.com/x`,
  `${MANY}git push`,
  `${MANY}GIT push`,
  `${MANY}rm -fr src`,
  `${MANY}deploy --now --force all`,
  `echo '${"x".repeat(1_000_000)}'; cat .env`,
  `cat ${"a ".repeat(400)}.env`,
  `cat .env ${"a ".repeat(400)}`,
  `cat ${each(60, (n) => `<f${n} `)}<.env`,
  `${each(150, (n) => `cat g${n} h${n} i${n}; `)}cat .env`,
  `${"$(".repeat(200)}cat .env${")".repeat(200)}`,
  `\u001b ${"true; ".repeat(3)}cat .env`,
  MANY,
  "a;".repeat(500_000),
  "x ".repeat(500_000),
  `echo ${"a".repeat(1_000_000)}`,
  `${MANY}cat docs/.environment docs/env`,
  `${MANY}cat README.md src/*.ts *`,
  `${MANY}cat lib/secrets.ts docs/secrets/x`,
  `${MANY}cat a.pem`,
  `${MANY}gitpush; rm x`,
])(
  "case %#: asked while rules deny something, whatever is allowed, and refused where nobody can be asked",
  async (command) => {
    for (const mode of ["default", "acceptEdits", "bypassPermissions"] as const) {
      const behavior = await behaviorOf(createPermissionChecker({ workspace, rules, mode }), bash(command));
      expect({ command: command.slice(-60), mode, behavior }).toMatchObject({
        behavior: expect.stringMatching(/^(?:ask|deny)$/),
      });
    }
    const alone = createPermissionChecker({ workspace, rules, mode: "dontAsk" });
    expect(await behaviorOf(alone, bash(command))).toBe("deny");
  },
);

/** Generous: the bound is 200 ms on a machine that does nothing else, which the bench checks. */
const MOST_MS = 5_000;

test.each([
  ["a megabyte of one letter", "a".repeat(1_000_000)],
  ["every name a wildcard", each(100_000, (n) => `a*${n}?b `)],
  ["long wildcards", each(60, (n) => `cat ${"*a".repeat(500)}${n};`)],
  ["long paths", each(199, (n) => `cat ${"a/".repeat(150)}${n};`)],
  ["names that rules are about", each(65_000, (n) => `deploy${n % 50} --forc `)],
  ["unknown programs with denied ones behind", each(199, (n) => `unknown${n} ${each(19, (at) => `deploy${at} `)};`)],
])("%s: decided in bounded processor time under hundreds of rules", async (_name, command) => {
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  const deny = numbers.flatMap((n) => [`Read(./secrets${n}/**)`, `Edit(**/*.key${n})`, `Bash(deploy${n} --force *)`]);
  const checker = createPermissionChecker({ workspace, rules: { deny } });

  const before = process.cpuUsage();
  await checker.decide(bash(command));
  const { user, system } = process.cpuUsage(before);

  expect((user + system) / 1_000).toBeLessThan(MOST_MS);
});
