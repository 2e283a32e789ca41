// A server that only counts: what reached it has happened, whatever the records say.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingServer {
  readonly url: string;
  /** How often each effect happened, by `run-step`. */
  readonly counts: ReadonlyMap<string, number>;
  /** What the tools of each run were given as `context.app`, one for each effect. */
  readonly apps: ReadonlyMap<string, readonly unknown[]>;
  /** Resolves when so many effects have happened. */
  reaches(total: number): Promise<void>;
  close(): Promise<void>;
}

/** `slowMs`: an effect takes up to so long, before or after it is counted. */
export async function startCountingServer({ slowMs = 0 } = {}): Promise<CountingServer> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * slowMs));
  const counts = new Map<string, number>();
  const apps = new Map<string, unknown[]>();
  let total = 0;
  const waiting: { readonly total: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { run, step, app } = JSON.parse(body);
    apps.set(run, [...(apps.get(run) ?? []), app]);
    if (slowMs > 0) await pause();
    counts.set(`${run}-${step}`, (counts.get(`${run}-${step}`) ?? 0) + 1);
    total++;
    for (const one of waiting) if (total >= one.total) one.resolve();
    if (slowMs > 0) await pause();
    response.end("counted");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    apps,
    reaches: (goal) =>
      new Promise((resolve) => (total >= goal ? resolve() : void waiting.push({ total: goal, resolve }))),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
