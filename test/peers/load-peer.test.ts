import { expect, test } from "vitest";
import { checkPeer, loadPeer, loadPeerIfInstalled } from "../../src/peers/load-peer.js";

const NAME = "@modelcontextprotocol/client";
const missing = (): Promise<{ Client: unknown }> => Promise.reject(new Error("Cannot find package"));

test("a package in a version that works is loaded", async () => {
  const sdk = await loadPeer(NAME, () => import("@modelcontextprotocol/client"), ["Client"]);

  expect(sdk.Client).toBeTypeOf("function");
});

test("a package that is installed and cannot be loaded is PEER_MISSING, with the version, the directory and the cause", async () => {
  await expect(loadPeer(NAME, missing, ["Client"])).rejects.toMatchObject({
    code: "PEER_MISSING",
    message: expect.stringMatching(
      /^connectMcp\(\) needs the package "@modelcontextprotocol\/client", of which 2\.\d+\.\d+ is installed in ".*node_modules.@modelcontextprotocol.client" and cannot be loaded \(see the cause\)\. Run: npm install "@modelcontextprotocol\/client@>=2\.4\.0 <3"\.$/,
    ),
    details: { package: NAME, range: ">=2.4.0 <3", found: expect.any(String), directory: expect.any(String) },
    cause: new Error("Cannot find package"),
  });
  expect(await loadPeerIfInstalled(NAME, missing, ["Client"])).toBe(undefined);
});

test("a package without what is used is PEER_UNSUPPORTED, and says what it lacks", async () => {
  const empty = { Client: undefined, other: 1 };
  const refusal = {
    code: "PEER_UNSUPPORTED",
    message: expect.stringMatching(
      /^connectMcp\(\) does not work with version 2\..*: it has no Client\. Versions >=2\.4\.0 <3 work\. Run: /,
    ),
    details: { package: NAME, lacking: ["Client"] },
  };

  await expect(loadPeer(NAME, async () => empty, ["Client", "other"])).rejects.toMatchObject(refusal);
  await expect(loadPeerIfInstalled(NAME, async () => empty, ["Client"])).rejects.toMatchObject(refusal);
  expect(() => checkPeer(NAME, empty, ["Client"])).toThrow(/it has no Client/);
});
