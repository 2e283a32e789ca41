// Before Node 24, an async storage that was used once makes every promise of its process cost more, until it is disabled. What a
// library has begun in one file of tests must not slow down the hundred files after it.
import { AsyncLocalStorage } from "node:async_hooks";

const USED = Symbol.for("loopwright.test.async-storages");

/** The storages that were used in this process since the last file ended. The process runs this module for each of its files. */
function usedStorages(): Set<AsyncLocalStorage<unknown>> {
  const known: Set<AsyncLocalStorage<unknown>> | undefined = Reflect.get(globalThis, USED);
  if (known) return known;
  const used = new Set<AsyncLocalStorage<unknown>>();
  Reflect.set(globalThis, USED, used);
  for (const method of ["run", "enterWith"] as const) {
    const counted = new Proxy<(...args: never[]) => unknown>(AsyncLocalStorage.prototype[method], {
      apply(target, storage, args) {
        used.add(storage);
        return Reflect.apply(target, storage, args);
      },
    });
    Reflect.set(AsyncLocalStorage.prototype, method, counted);
  }
  return used;
}

// By the time the next file begins, nothing of the last one is under way.
const used = usedStorages();
for (const storage of used) storage.disable();
used.clear();
