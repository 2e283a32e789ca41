// The `flow` of settings files: it only ever makes an agent more careful, unless the file is trusted.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../../src/hooks/index.js";
import { joinFlow } from "../../../src/hooks/settings/settings-flow.js";
import { createCodingAgent } from "../../../src/presets/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";

const FLOW = { untrusted: ["read_issue"], trusted: ["web:docs.example.com"], private: ["mail"] };

async function inProject(settings: object, use: (dir: string) => Promise<void>) {
  const dir = mkdtempSync(join(tmpdir(), "flow-settings-"));
  mkdirSync(join(dir, ".claude"));
  writeFileSync(join(dir, ".claude", "settings.json"), JSON.stringify(settings));
  await use(dir).finally(() => rmSync(dir, { recursive: true, force: true }));
}

test("every file may say what is untrusted or private, and turns flow on; a trusted one what is trusted", async () => {
  await inProject({ flow: FLOW }, async (dir) => {
    const cautious = await loadSettings(dir, { home: null });
    expect(cautious.flow).toEqual({ ...FLOW, trusted: [] });
    expect(cautious.untrusted).toMatchObject([{ key: "flow.trusted", value: FLOW.trusted }]);
    expect((await loadSettings(dir, { home: null, trustProject: true })).flow).toEqual(FLOW);
  });
  await inProject({}, async (dir) => expect((await loadSettings(dir, { home: null })).flow).toBeUndefined());
  await inProject({ flow: { untrusted: [1] } }, async (dir) => {
    const { unenforced } = await loadSettings(dir, { home: null });
    expect(unenforced).toMatchObject([{ key: "flow.untrusted" }]);
  });
});

test("neither the host nor a file takes back what the other says", () => {
  expect(joinFlow("off", undefined)).toBe("off");
  expect(joinFlow("off", { untrusted: ["a"], trusted: [], private: [] })).toEqual({
    untrusted: ["a"],
    trusted: [],
    private: [],
  });
  expect(joinFlow({ ask: ["sends"], untrusted: ["b"] }, FLOW)).toEqual({
    ...FLOW,
    ask: ["sends"],
    untrusted: ["b", "read_issue"],
  });
});

test("a preset uses it, and does not open where the gate is the host's own", async () => {
  await inProject({ flow: {} }, async (root) => {
    const options = { provider: scripted([text("Done.")]), root, home: null };
    const agent = await createCodingAgent(options);
    expect(agent.checker?.usesLabels).toBe(true);
    await agent.close();
    const permissions = { decide: () => ({ behavior: "allow" as const }) };
    await expect(createCodingAgent({ ...options, permissions })).rejects.toThrow(
      "flow needs the preset's own permission checker.",
    );
  });
});
