import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../postgres/kit.js";
import { directoryWith, runHere } from "./kit.js";

const database = await testDatabase({ migrated: false });
afterAll(() => database.close());

function run(...args: string[]) {
  const cwd = directoryWith();
  return runHere(["migrate", ...args], { cwd, home: cwd });
}

test("migrate makes the tables, says so, and finds them up to date the next time", async () => {
  const { host, user, database: name } = database.config;
  const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`;

  const [first, again] = [await run("--database-url", url), await run("--database-url", url)];

  expect([first.code, again.code]).toEqual([0, 0]);
  expect(first.stdout).toMatch(/^Schema "loopwright", version (\d+): applied \1 of \1 steps\.\n$/);
  expect(again.stdout).toContain("was up to date");
});

test("without a database it says what to give, and one that is not there is a failure with its reason", async () => {
  expect(await run()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--database-url, or set DATABASE_URL"),
  });
  const { host, user } = database.config;
  const missing = await run("--database-url", `postgres://${user}@/nowhere?host=${encodeURIComponent(host)}`);
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain("could not be migrated");
});

test("a server that refuses is reported with what to do, and not asked again", async () => {
  const refusing = await run("--database-url", "postgres://nobody@127.0.0.1:1/nowhere");

  expect(refusing.code).not.toBe(0);
  expect(refusing.stderr).toContain("No database server accepts the connection: connect ECONNREFUSED 127.0.0.1:1");
  expect(refusing.stderr).toContain("Start it, or check the address");
});
