// Runs the scenarios of `@modelcontextprotocol/conformance` that apply, against our client and our server.
// The runner needs Node 22; on an older one it is started with `npx node@24`, and skipped, saying so, where that is not there.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = "node@24.21.0";
const RESULTS = mkdtempSync(join(tmpdir(), "mcp-conformance-"));

const CLIENT = [
  ...["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"],
  ...["metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd"].map(auth),
  ...["scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined"].map(auth),
  ...["scope-step-up", "scope-retry-limit", "pre-registration", "resource-mismatch"].map(auth),
  ...["token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"].map(auth),
  ...["2025-03-26-oauth-endpoint-fallback", "offline-access-scope", "offline-access-not-supported"].map(auth),
];
/*
 * Not run: auth/2025-03-26-oauth-metadata-backcompat wants metadata to be believed whose issuer is not the one that was asked,
 * which the SDK refuses; client credentials and cross-app access are extensions with providers of the SDK's own.
 */

const SERVER = [
  ...["server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-audio"],
  ...["tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-error", "tools-call-with-progress"],
  ...["json-schema-2020-12", "server-sse-multiple-streams", "dns-rebinding-protection"],
];
/* Not run: what a server of tools does not offer: logging, completion, resources, prompts, sampling, elicitation, polling. */

function auth(scenario: string): string {
  return `auth/${scenario}`;
}

const runner = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const major = Number(process.versions.node.split(".")[0]);
const node = major >= 22 ? [process.execPath] : ["npx", "-y", "-p", NODE, "node"];

function runs(args: readonly string[]): { readonly passed: boolean; readonly output: string } {
  const [command = "", ...rest] = [...node, ...args];
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8", timeout: 120_000 });
  return { passed: status === 0, output: `${stdout}${stderr}` };
}

function report(scenario: string, { passed, output }: ReturnType<typeof runs>): boolean {
  console.log(`${passed ? "ok  " : "FAIL"} ${scenario}`);
  if (!passed) console.log(output);
  return passed;
}

if (!runs(["--version"]).passed) {
  console.log(`The conformance runner needs Node 22 or later, and ${NODE} cannot be installed here: skipped.`);
} else {
  const command = `"${process.execPath}" --import tsx "${here("client.ts")}"`;
  const server = spawn(process.execPath, ["--import", "tsx", here("server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url] = await once(server.stdout.setEncoding("utf8"), "data");
  const results = [
    ...CLIENT.map((name) =>
      report(name, runs([runner, "client", "--command", command, "--scenario", name, "-o", RESULTS])),
    ),
    ...SERVER.map((name) =>
      report(name, runs([runner, "server", "--url", url.trim(), "--scenario", name, "-o", RESULTS])),
    ),
  ];
  server.stdin.end();
  await once(server, "exit");
  console.log(`${results.filter(Boolean).length} of ${results.length} scenarios passed.`);
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
rmSync(RESULTS, { recursive: true });
