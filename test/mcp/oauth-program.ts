// A process of its own with a connection whose tokens are kept in a directory, for tests: calls the tool for each line it reads.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connectMcp, createMcpAuth } from "../../src/mcp/index.js";

const [url = "", directory = ""] = process.argv.slice(2);
const fileOf = (key: string) => join(directory, key);

const auth = createMcpAuth({
  store: {
    get: (key) => (existsSync(fileOf(key)) ? readFileSync(fileOf(key), "utf8") : undefined),
    // A store far away: the other process reads the old tokens for a while.
    set: async (key, value) => {
      if (key === "tokens") await new Promise((resolve) => setTimeout(resolve, 300));
      writeFileSync(`${fileOf(key)}.${process.pid}`, value);
      renameSync(`${fileOf(key)}.${process.pid}`, fileOf(key));
    },
    delete: (key) => rmSync(fileOf(key), { force: true }),
  },
  redirectUrl: "http://localhost:1/callback",
  signIn: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "",
});
const connection = connectMcp({ name: "tracker", url, auth }, { timeoutMs: 20_000, reconnect: false });
await connection.ready;
console.log("ready");
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(await connection.call("echo", {}).catch((error) => error.message));
}
await connection.close();
