import { expect, test } from "vitest";
import { readServerEntry } from "../../../src/mcp/config/server-entry.js";

const read = (more: object) => {
  const told: string[] = [];
  const server = readServerEntry("a", { command: "run", ...more }, (field, message) =>
    told.push(`${field} ${message}`),
  );
  return { server, told };
};

test.each([{ disabled: true }, { disabled: "true" }, { disabled: 1 }, { enabled: false }, { enabled: "false" }])(
  "a server with a switch that is not clearly on is not started: %o",
  (more) => {
    expect(read(more)).toEqual({ server: null, told: [" is switched off"] });
  },
);

test.each(["includeTools", "excludeTools", "disabledTools", "disabled_tools"])(
  "a server with %s is not started, since it would offer more tools than its entry says",
  (field) => {
    const { server, told } = read({ [field]: ["delete"] });

    expect(server).toBeNull();
    expect(told).toEqual([expect.stringMatching(`^${field} restricts, and cannot be enforced here`)]);
  },
);

test("what widens or is comfort changes nothing", () => {
  expect(
    read({ alwaysAllow: ["x"], autoApprove: ["x"], trust: true, timeout: 5, disabled: false, enabled: true }),
  ).toEqual({
    server: { name: "a", command: "run" },
    told: [],
  });
});
