/** The users of an optional package, and which versions of it work. */
export interface Peer {
  /** `>=from`, or `>=from <below`: what `npm install` takes. */
  readonly range: string;
  /** The function a person has called when the package is needed. */
  readonly usedBy: string;
}

/**
 * The optional packages. `package.json` asks for no version of them, since whoever has one for another reason could not
 * install this library; the version counts when a feature is used. Messages and docs take the ranges from here.
 */
export const PEERS = {
  "@a2a-js/sdk": { range: ">=1.3.0 <2", usedBy: "serveA2a() and a2aTool()" },
  "@agentclientprotocol/sdk": { range: ">=2.4.0 <3", usedBy: "serveAcp()" },
  "@anthropic-ai/sandbox-runtime": { range: ">=0.0.78 <0.1", usedBy: "sandboxedShell()" },
  "@dbos-inc/dbos-sdk": { range: ">=5.3.0 <6", usedBy: "createFleet()" },
  "@modelcontextprotocol/client": { range: ">=2.4.0 <3", usedBy: "connectMcp()" },
  "@modelcontextprotocol/server": { range: ">=2.4.0 <3", usedBy: "serveMcp()" },
  "@opentelemetry/api": { range: ">=1.3.0 <2", usedBy: "instrument()" },
  "@pydantic/genai-prices": { range: ">=0.1.8 <0.2", usedBy: "loadPrices()" },
  // Any version is used that names a program.
  "@vscode/ripgrep": { range: ">=1.18.0 <2", usedBy: "The tool grep" },
  // Any version is used that converts a small page.
  "node-html-markdown": { range: ">=1.0.0 <3", usedBy: "The tool web_fetch" },
  // Before 8.0.3 a connection is never made on Node 14 or newer. The pool that is handed in shows whether the rest is there.
  pg: { range: ">=8.0.3", usedBy: "The store on PostgreSQL" },
  "quickjs-wasi": { range: ">=3.7.0 <4", usedBy: "withPrograms()" },
} as const satisfies Readonly<Record<string, Peer>>;

export type PeerName = keyof typeof PEERS;

/** Whether a version is in the range of the table. A preview of 3.0.0 counts as 3.0.0. */
export function isSupported(name: PeerName, version: string): boolean {
  const [, from, below] = /^>=(\S+)(?: <(\S+))?$/.exec(PEERS[name].range)!;
  return compare(version, from!) >= 0 && (below === undefined || compare(version, below) < 0);
}

function compare(version: string, other: string): number {
  const [ours, theirs] = [numbersOf(version), numbersOf(other)];
  const at = [0, 1, 2].find((place) => ours[place] !== theirs[place]);
  return at === undefined ? 0 : ours[at]! - theirs[at]!;
}

const numbersOf = (version: string): readonly number[] => {
  const [, ...numbers] = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return [0, 1, 2].map((place) => Number(numbers[place] ?? 0));
};
