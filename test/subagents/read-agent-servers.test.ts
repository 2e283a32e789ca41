import { expect, test } from "vitest";
import { readAgentServers } from "../../src/subagents/read-agent-servers.js";

function read(field: unknown) {
  const problems: string[] = [];
  const servers = readAgentServers(field as never, (_key, message) => problems.push(message));
  return { servers, problems: problems.length };
}

test.each([
  [undefined, []],
  [null, []],
  ["github", [{ name: "github" }]],
  ["github, linear", [{ name: "github" }, { name: "linear" }]],
  [
    ["github", { db: { command: "db" } }],
    [{ name: "github" }, { name: "db", entry: { command: "db" } }],
  ],
  [{ db: { command: "db" }, github: null }, [{ name: "db", entry: { command: "db" } }, { name: "github" }]],
])("the field %j names the servers %j", (field, servers) => {
  expect(read(field)).toEqual({ servers, problems: 0 });
});

test.each([7, [true], [[]], [""], { db: "npx db" }, { db: { command: "a" }, x: 5 }, [{ a: {} }, { a: {} }]])(
  "what is not a server in %j is reported and left out",
  (field) => {
    expect(read(field).problems).toBe(1);
  },
);
