// Installs the packed library beside other versions of its optional packages, as an app has them for reasons of its own, and
// reads what the first use of each feature says.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PEERS, type PeerName } from "../src/peers/peer-table.js";

const NAMES = Object.keys(PEERS) as PeerName[];
/** What the first use of each feature said: a refusal, or what it did. */
type FirstUse = Readonly<Record<PeerName, { readonly code?: string; readonly says: string }>>;

const QUIET = ["--silent", "--no-audit", "--no-fund", "--prefer-offline"];
const FIRST_USE = fileURLToPath(new URL("first-use.mjs", import.meta.url));

/** What the stand-in of each exports: nothing of what is used, but what a pool of `pg` is made of. */
const PG = `class Client {}
class Pool { Client = Client; on() { return this; } async connect() {} async query() { return { rows: [], rowCount: 0 }; } }
module.exports = { Client, Pool };`;

/** @throws Error when an install fails, or what a feature says is not what it should */
export function checkPeers(tarball: string): void {
  const startedAt = performance.now();
  const others = [
    ["major 0", Object.fromEntries(NAMES.map((name) => [name, "0.0.1"]))],
    ["the next major", Object.fromEntries(NAMES.map((name) => [name, `${majorAfter(name)}.0.0`]))],
  ] as const;
  for (const [what, versions] of others) {
    inApp((app) => {
      npm(app, "install", ...standIns(app, versions));
      npm(app, "install", tarball);
      checkRefusals(what, app, versions, firstUse(app));
    });
  }
  inApp((app) => {
    npm(app, "install", "pg@7", "node-html-markdown@1");
    npm(app, "install", tarball);
    checkRealOnes(app, firstUse(app));
  });
  console.log(
    `beside other versions of ${NAMES.length} packages: ok, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );
}

const majorAfter = (name: PeerName): number =>
  Number(/<(\d+)/.exec(PEERS[name].range)?.[1] ?? Number(/^>=(\d+)/.exec(PEERS[name].range)![1]) + 1) || 1;

/** Packs a package of each name and version; their `exports` hide package.json, as those of most packages do. */
function standIns(app: string, versions: Readonly<Record<string, string>>): string[] {
  const directories = Object.entries(versions).map(([name, version], index) => {
    const directory = join(app, "stand-ins", String(index));
    mkdirSync(directory, { recursive: true });
    const manifest = { name, version, main: "index.js", exports: { ".": "./index.js" } };
    writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(directory, "index.js"), name === "pg" ? PG : "module.exports = {};");
    return directory;
  });
  npm(app, "pack", ...directories);
  return readdirSync(app)
    .filter((file) => file.endsWith(".tgz"))
    .map((file) => `./${file}`);
}

/** Every feature says which version it has found, where, which work, and what to run; or works without. */
function checkRefusals(what: string, app: string, versions: Readonly<Record<string, string>>, found: FirstUse): void {
  const isNewer = what !== "major 0";
  for (const name of NAMES) {
    const { code, says } = found[name];
    const expect = (expected: readonly string[], expectedCode?: string) => {
      const lacking = expected.filter((part) => !says.includes(part));
      if (lacking.length === 0 && code === expectedCode) return;
      throw new Error(`beside ${name}@${versions[name]}, ${what}, "${says}" (${code}) lacks: ${lacking.join(", ")}`);
    };
    if (name === "@vscode/ripgrep") expect(["a.txt:1"]);
    else if (name === "node-html-markdown")
      expect([`version ${versions[name]} of`, `"${name}@${PEERS[name].range}"`, "Cats"]);
    else if (name === "pg" && isNewer) expect(["read"]);
    else {
      const directory = join(app, "node_modules", name);
      const remedy = `Run: npm install "${name}@${PEERS[name].range}".`;
      expect(
        [
          `${PEERS[name].usedBy} does not work with version ${versions[name]} of the package "${name}", found in "${directory}".`,
          `Versions ${PEERS[name].range} work.`,
          remedy,
        ],
        "PEER_UNSUPPORTED",
      );
    }
  }
}

/** The real `pg` 7 is refused, since it would wait for ever; the real `node-html-markdown` 1 is used; the others are missing. */
function checkRealOnes(app: string, found: FirstUse): void {
  const expected: Partial<Record<PeerName, readonly [code: string | undefined, part: string]>> = {
    pg: [
      "PEER_UNSUPPORTED",
      `does not work with version 7.18.2 of the package "pg", found in "${join(app, "node_modules/pg")}". Versions >=8.0.3 work. Run: npm install "pg@>=8.0.3".`,
    ],
    "node-html-markdown": [undefined, "# Cats"],
    "@vscode/ripgrep": [undefined, "a.txt:1"],
    "@pydantic/genai-prices": [undefined, "no price"],
    "@opentelemetry/api": ["ERR_MODULE_NOT_FOUND", "@opentelemetry/api"],
  };
  for (const name of NAMES) {
    const { code, says } = found[name];
    const remedy = `Run: npm install "${name}@${PEERS[name].range}".`;
    const [expectedCode, part] = expected[name] ?? ["PEER_MISSING", remedy];
    if (code !== expectedCode || !says.includes(part)) throw new Error(`${name}: "${says}" (${code}) lacks: ${part}`);
  }
}

function firstUse(app: string): FirstUse {
  writeFileSync(join(app, "a.txt"), "needle\n");
  copyFileSync(FIRST_USE, join(app, "first-use.mjs"));
  const said = execFileSync(process.execPath, ["first-use.mjs"], { cwd: app, encoding: "utf8", timeout: 60_000 });
  return JSON.parse(said) as FirstUse;
}

function inApp(work: (app: string) => void): void {
  const app = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-peers-")));
  try {
    writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true }));
    work(app);
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
}

const npm = (cwd: string, ...args: string[]) =>
  execFileSync("npm", [args[0]!, ...QUIET, ...args.slice(1)], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
