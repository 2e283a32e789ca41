// Secrets that commands use and do not have, against a server with TLS on this machine.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type SandboxPolicy, sandboxedShell } from "../../src/workspace/index.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

const PROGRAM = fileURLToPath(new URL("masked-program.ts", import.meta.url));
const SECRET = "the-real-value-0123456789";

/** Two servers, of which the first has TLS, and what they were sent. */
async function servers(directory: string) {
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const about = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", names];
  execFileSync("openssl", ["req", "-x509", ...about, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const sent: string[] = [];
  const answer: RequestListener = (request, response) => {
    sent.push(String(request.headers.authorization));
    response.end("answered");
  };
  const started = [
    createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer),
    createPlainServer(answer),
  ];
  const ports = await Promise.all(
    started.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      return (server.address() as AddressInfo).port;
    }),
  );
  return { cert, sent, tls: ports[0]!, plain: ports[1]! };
}

async function run(
  about: {
    readonly root: string;
    readonly policy: SandboxPolicy;
    readonly cert?: string;
    readonly protectedPaths?: string[];
  },
  ...lines: string[]
): Promise<string[]> {
  const { root, policy, cert = "", protectedPaths = [] } = about;
  const args = ["--import", "tsx", PROGRAM, root, JSON.stringify(policy), JSON.stringify(protectedPaths), ...lines];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, TEST_TOKEN: SECRET };
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
}

/** The runtime's proxy may come a moment after the command: what `curl` says of that is not heard. */
const curl = (url: string, token: string) =>
  `curl -s -m 20 --retry 9 --retry-connrefused --retry-delay 1 --noproxy "" -H "authorization: Bearer ${token}" ${url}`;

test("commands find a placeholder, and the value is put into their HTTPS requests to the hosts named with it", async () => {
  const { root, outside } = await temporaryWorkspace();
  const { cert, sent, tls, plain } = await servers(outside);
  writeFileSync(join(root, "token"), SECRET);
  const hosts = ["localhost"];
  const policy = {
    allowedHosts: ["localhost", "127.0.0.1"],
    masked: [
      { variable: "TEST_TOKEN", hosts },
      { file: "token", hosts },
    ],
  };

  const outputs = await run(
    { root, policy, cert, protectedPaths: ["token"] },
    'echo "$TEST_TOKEN"; cat token; cat /proc/*/environ | tr "\\0" "\\n"; cat /proc/*/cmdline',
    curl(`https://localhost:${tls}/`, "$TEST_TOKEN"),
    curl(`https://localhost:${tls}/`, "$(cat token)"),
    curl(`http://localhost:${plain}/`, "$TEST_TOKEN"),
    `${curl(`https://127.0.0.1:${tls}/`, "$TEST_TOKEN")} --cacert ${cert}`,
  );

  expect(outputs[0]).toMatch(/^fake_value_\S+\nfake_value_/);
  expect(outputs.slice(1)).toEqual(Array(4).fill("answered"));
  expect(sent.slice(0, 2)).toEqual([`Bearer ${SECRET}`, `Bearer ${SECRET}`]);
  expect(sent.slice(2)).toEqual([expect.stringContaining("fake_value_"), expect.stringContaining("fake_value_")]);
  expect(outputs.join()).not.toContain(SECRET);
  expect(readFileSync(join(root, "token"), "utf8")).toBe(SECRET);
});

test("what is not there refuses the command by its name", async () => {
  const { root } = await temporaryWorkspace();
  const with_ = (secret: object): SandboxPolicy => ({
    allowedHosts: ["localhost"],
    masked: [{ ...secret, hosts: ["localhost"] }],
  });

  expect(await run({ root, policy: with_({ variable: "NOT_SET" }) }, "echo ran")).toEqual([
    expect.stringContaining('The variable "NOT_SET" in "masked" of sandboxedShell() is not there'),
  ]);
  expect(await run({ root, policy: with_({ file: "missing" }) }, "echo ran")).toEqual([
    expect.stringContaining(`The file "${root}/missing" in "masked" of sandboxedShell() is not there`),
  ]);
});

test("one process has one list of secrets", async () => {
  const hosts = ["localhost"];
  const { root, workspace } = await temporaryWorkspace({ shell: sandboxedShell({ allowedHosts: hosts }) });
  await workspace.shell.run({ command: "true" });
  writeFileSync(join(root, "token"), SECRET);
  const masked = [{ file: join(root, "token"), hosts }];
  const other = await temporaryWorkspace({ shell: sandboxedShell({ allowedHosts: hosts, masked }) });

  await expect(other.workspace.shell.run({ command: "true" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining('"allowedHosts" ["localhost"], and all of them share one list'),
  });
});

test.each([
  [{ masked: [{ variable: "A", file: "b", hosts: ["a.com"] }] }, "a variable or a file"],
  [{ masked: [{ hosts: ["a.com"] }] }, "a variable or a file"],
  [{ masked: [{ variable: "A", hosts: [] }] }, "hosts that stand in allowedHosts"],
  [{ masked: [{ variable: "A", hosts: ["b.com"] }] }, "hosts that stand in allowedHosts"],
])("a secret that would be put in nowhere is refused: %j", (policy, expected) => {
  expect(() => sandboxedShell({ allowedHosts: ["a.com"], ...policy })).toThrow(expected);
});
