// Stands between clients and a PostgreSQL server, and cuts their connections when told to.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CuttingProxy {
  /** What `pg` takes as `host`. */
  readonly host: string;
  /** Cuts the connection over which the next bytes come that hold `text`: before the server gets them, or after it has answered. */
  cutAt(text: string, when: "before" | "after"): void;
  /** Cuts every connection there is now. */
  cutAll(): void;
  /** How many it has cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

export async function startCuttingProxy(serverHost: string): Promise<CuttingProxy> {
  const host = mkdtempSync(join(tmpdir(), "px-"));
  const pairs = new Set<() => void>();
  let trigger: { readonly text: string; readonly when: "before" | "after" } | null = null;
  let cuts = 0;
  const server = createServer((client: Socket) => {
    const upstream = connect(join(serverHost, ".s.PGSQL.5432"));
    let cutsAnswer = false;
    const cut = () => {
      cuts++;
      client.destroy();
      upstream.destroy();
    };
    pairs.add(cut);
    client.on("data", (bytes) => {
      if (trigger && bytes.includes(trigger.text)) {
        const { when } = trigger;
        trigger = null;
        if (when === "before") return cut();
        cutsAnswer = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => (cutsAnswer ? cut() : client.write(bytes)));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => {
        other.destroy();
        pairs.delete(cut);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(join(host, ".s.PGSQL.5432"), resolve));
  return {
    host,
    cutAt: (text, when) => {
      trigger = { text, when };
    },
    cutAll: () => {
      for (const cut of pairs) cut();
    },
    get cuts() {
      return cuts;
    },
    async close() {
      for (const cut of pairs) cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(host, { recursive: true, force: true });
    },
  };
}
