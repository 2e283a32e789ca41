// Parts of a host that hang, lie, or are of the wrong kind: everything an engine is given, now and then broken.
import fc from "fast-check";
import type { ContextPolicy, ContextSource } from "../../src/contracts/context.js";
import type { HookDispatcher } from "../../src/contracts/hook.js";
import type { PermissionGate } from "../../src/contracts/permission.js";
import type { Runtime } from "../../src/contracts/runtime.js";
import type { SessionStore } from "../../src/contracts/session.js";
import type { BaseTool, Registry } from "../../src/contracts/tool.js";
import type { ArtifactStore } from "../../src/contracts/workspace.js";
import type { EngineOptions } from "../../src/engine/options/options.js";
import { HookRunner } from "../../src/engine/run/hooks/hook-runner.js";
import { ToolRegistry } from "../../src/engine/tools/tool-registry.js";
import { type HostPlan, randomGate, randomHooks } from "./random-host.js";
import { randomTools } from "./random-tools.js";
import type { World } from "./world.js";

const WAYS = [
  "never",
  "late",
  "very-late",
  "throws",
  "throws-nothing",
  "rejects",
  "rejects-bare",
  "lies",
  "lies-later",
  "thenable-never",
  "thenable-throws",
  "thenable-twice",
] as const;
type Way = (typeof WAYS)[number];

const METHODS = [
  "append",
  "lock",
  "unlock",
  "read",
  "decide",
  "remember",
  "load",
  "prepare",
  "recover",
  "dispatch",
  "has",
  "put",
  "tools-ready",
  "tools-definitions",
  "tools-list",
  "tools-get",
  "tools-resolve",
  "tool-ready",
  "prices",
  "now",
  "newId",
  "random",
] as const;
type Method = (typeof METHODS)[number];

/** One method of the host's that does not do what it should, from its n-th call on or only then. */
export interface Fault {
  readonly method: Method;
  readonly way: Way;
  readonly at: number;
  readonly lasts: boolean;
  /** Which of the wrong values is given. */
  readonly lie: number;
}

export const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.record({
    method: fc.constantFrom(...METHODS),
    way: fc.constantFrom(...WAYS),
    at: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
    lasts: fc.boolean(),
    lie: fc.nat({ max: 20 }),
  }),
  { maxLength: 3 },
);

const LIES: readonly unknown[] = [
  undefined,
  null,
  7,
  "yes",
  [],
  {},
  () => "yes",
  [null],
  [{ from: 1 }],
  { behavior: "maybe" },
  { behavior: "allow", reason: 7 },
  { decision: "perhaps" },
  { id: 7, text: "x" },
  { permission: "maybe" },
  { continue: "no", additionalContext: "x" },
  new Proxy(
    {},
    {
      get() {
        throw new Error("no look");
      },
    },
  ),
  Object.freeze({ path: 7, id: null }),
  Number.NaN,
  Symbol("lie"),
  10n,
];

/** Whether a session that such a part has kept can be relied on afterwards. */
export function isLyingStore({ method, way }: Fault): boolean {
  return (method === "append" || method === "read") && way.startsWith("lies");
}

export function isStoreFault({ method }: Fault): boolean {
  return method === "append" || method === "lock" || method === "unlock" || method === "read";
}

/** Everything that breaks as planned. */
export class BrokenParts {
  readonly #calls = new Map<Method, number>();

  constructor(
    private readonly world: World,
    private readonly faults: readonly Fault[],
  ) {}

  /** What the method does this time. */
  #do<T>(method: Method, good: () => T): T {
    const n = this.#calls.get(method) ?? 0;
    this.#calls.set(method, n + 1);
    const fault = this.faults.find((one) => one.method === method && (one.at === n || (one.lasts && n > one.at)));
    return fault ? (this.#break(fault, good) as T) : good();
  }

  #break({ way, lie }: Fault, good: () => unknown): unknown {
    const { time } = this.world;
    const value = LIES[lie % LIES.length];
    switch (way) {
      case "never":
        this.world.endless++;
        return new Promise(() => {});
      case "late":
        return time.sleep(2).then(good);
      case "very-late":
        return time.sleep(400).then(good);
      case "throws":
        throw new Error("broken");
      case "throws-nothing":
        throw undefined;
      case "rejects":
        return Promise.reject(new Error("broken"));
      case "rejects-bare":
        return Promise.reject(Object.create(null));
      case "lies":
        return value;
      case "lies-later":
        return Promise.resolve(value);
      case "thenable-never":
        this.world.endless++;
        // biome-ignore lint/suspicious/noThenProperty: the point of it
        return { then() {} };
      case "thenable-throws":
        return {
          // biome-ignore lint/suspicious/noThenProperty: the point of it
          then() {
            throw new Error("broken");
          },
        };
      case "thenable-twice":
        return {
          // biome-ignore lint/suspicious/noThenProperty: the point of it
          then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
            resolve(good());
            reject(new Error("broken"));
          },
        };
    }
  }

  store(inner: SessionStore): SessionStore {
    return {
      ...inner,
      append: (id, entries) => this.#do("append", () => inner.append(id, entries)),
      lock: (id) =>
        this.#do("lock", async () => {
          const release = await inner.lock(id);
          // A store that does not answer has released it all the same: the next process finds it free.
          return async () => {
            const released = release();
            await this.#do("unlock", () => released);
          };
        }),
      read: (id) => this.#do("read", () => this.#reading(inner, id)),
    };
  }

  async *#reading(inner: SessionStore, id: string) {
    for await (const entry of inner.read(id)) yield entry;
  }

  #runtime({ now, newId, random }: Runtime): Runtime {
    return {
      now: () => this.#do("now", now),
      newId: () => this.#do("newId", newId),
      random: () => this.#do("random", random),
    };
  }

  #registry(tools: readonly BaseTool[]): Registry {
    const inner = new ToolRegistry(tools);
    const registry: Registry = {
      register: () => registry,
      unregister: () => false,
      get: (name) => this.#do("tools-get", () => inner.get(name)),
      list: () => this.#do("tools-list", () => inner.list()),
      ready: () => this.#do("tools-ready", () => inner.ready()),
      resolve: (call) => this.#do("tools-resolve", () => call),
      definitions: () => this.#do("tools-definitions", () => inner.definitions()),
      execute: (call, context) => inner.execute(call, context),
    };
    return registry;
  }

  options(host: HostPlan, runtime: Runtime): Partial<EngineOptions> {
    const { world } = this;
    const own = randomGate(world);
    const gate: PermissionGate = {
      decide: (request) => this.#do("decide", () => own.decide(request)),
      remember: (updates) => this.#do("remember", () => void updates),
    };
    const runner = new HookRunner(randomHooks(world, host));
    const hooks: HookDispatcher = {
      has: (point) => this.#do("has", () => runner.has(point)),
      run: (input, options) => this.#do("dispatch", () => runner.run(input, options)),
    };
    const source: ContextSource = {
      id: "notes",
      load: () => this.#do("load", async () => ({ id: "notes", text: "Be brief." })),
    };
    const policy: ContextPolicy = {
      prepare: () => this.#do("prepare", async () => []),
      recover: () => this.#do("recover", async () => []),
    };
    const artifacts: ArtifactStore = {
      put: () => this.#do("put", async () => ({ id: "1", path: "/kept/1", bytes: 1, mediaType: "text/plain" })),
      get: async () => new Uint8Array(),
    };
    const tools = randomTools(world).map((tool) =>
      tool.name === "note" ? { ...tool, ready: () => this.#do("tool-ready", async () => {}) } : tool,
    );
    const breaks = (...methods: readonly Method[]) => this.faults.some(({ method }) => methods.includes(method));
    return {
      ...(host.hasGate && breaks("decide", "remember") && { permissions: gate }),
      ...(breaks("dispatch", "has") && { hooks }),
      ...(breaks("prices") && { prices: () => this.#do("prices", () => 0.01) }),
      ...(breaks("now", "newId", "random") && { runtime: this.#runtime(runtime) }),
      tools: this.faults.some(({ method }) => method.startsWith("tools-")) ? this.#registry(tools) : tools,
      contextSources: [source],
      compaction: policy,
      artifacts,
    };
  }
}
