import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { bundled } from "../bundled.js";
import { serveSigning } from "./authorization-server.js";
import { serveHostile } from "./hostile-server/http-habits.js";
import { closing } from "./servers.js";

test("nothing that servers print, and no warning, reaches the console of the host", async () => {
  const program = await bundled(new URL("quiet-program.ts", import.meta.url));
  const server = await serveSigning();
  const hostile = closing(await serveHostile("puts garbage before the answer"));
  const host = spawn(process.execPath, [program, server.url, hostile.url], { stdio: ["ignore", "pipe", "pipe"] });

  const [printed, warned, [code]] = await Promise.all([text(host.stdout), text(host.stderr), once(host, "exit")]);

  // It has been through what the SDK warns of.
  expect(server.asked).toEqual(["authorization_code", "refresh_token: invalid_grant", "authorization_code"]);
  expect({ printed, warned, code }).toEqual({ printed: "", warned: "", code: 0 });
});
