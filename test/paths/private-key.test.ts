import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isPrivateKeyFile } from "../../src/paths/private-key.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

const block = (kind: string) => `-----BEGIN ${kind}-----\nMIIB\n-----END ${kind}-----\n`;

test.each([
  ["a.pem", block("PRIVATE KEY"), true],
  ["a.pem", block("CERTIFICATE"), false],
  ["a.pem", block("TRUSTED CERTIFICATE"), false],
  ["a.pem", block("PUBLIC KEY"), false],
  // A bundle with both is as secret as its secret part.
  ["a.pem", block("CERTIFICATE") + block("RSA PRIVATE KEY"), true],
  ["A.KEY", block("EC PRIVATE KEY"), true],
  // What says nothing of itself, as a key in binary form, counts as one.
  ["a.key", "\u0000\u0001", true],
  ["a.key", "", true],
  ["a.txt", block("PRIVATE KEY"), false],
  ["key", block("PRIVATE KEY"), false],
])("%s with %j: %s", async (name, content, isKey) => {
  const path = join(await temporaryDirectory(), name);
  writeFileSync(path, content);

  expect(isPrivateKeyFile(path, false)).toBe(isKey);
});

test.each([true, false])("what cannot be read is what the caller says: %s", async (ifUnreadable) => {
  const dir = await temporaryDirectory();
  writeFileSync(join(dir, "real.pem"), block("CERTIFICATE"));
  symlinkSync("real.pem", join(dir, "link.pem"));
  mkdirSync(join(dir, "directory.pem"));

  for (const name of ["missing.pem", "link.pem", "directory.pem"]) {
    expect(isPrivateKeyFile(join(dir, name), ifUnreadable), name).toBe(ifUnreadable);
  }
});
