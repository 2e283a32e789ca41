// A program that connects two servers, prints their processes, and waits for its end, for tests.
import { connectMcp } from "../../src/mcp/index.js";
import { HOSTILE } from "./hostile-server/path.js";

const habits = ["ignores its end", "leaves a child behind"];
const servers = habits.map((habit) =>
  connectMcp({ name: "hostile", command: process.execPath, args: [HOSTILE, habit] }),
);
await Promise.all(servers.map(({ ready }) => ready));
process.on("SIGUSR2", () => process.exit(0));
console.log((await Promise.all(servers.map((server) => server.call("echo", {})))).join(" "));
