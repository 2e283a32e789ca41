// File operations that fail where a test wants them to; all others are real.
import { type FileSystem, nodeFiles, type StoreFile } from "../../src/sessions/file-system.js";

export interface FaultyFiles {
  readonly files: FileSystem;
  /** Names of all operations so far, such as "open" and "write". */
  readonly done: string[];
}

export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made to fail`), { code, syscall: "test" });
}

/**
 * `fault` is asked before each operation and answers with the error it fails with. A write that fails has written half of
 * its bytes; a close that fails has closed.
 */
export function faultyFiles(fault: (operation: string, n: number) => Error | null): FaultyFiles {
  const done: string[] = [];
  const check = (operation: string): Error | null => {
    done.push(operation);
    return fault(operation, done.length);
  };
  const wrapped = <T extends object>(target: T, after: (value: unknown) => unknown): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          const error = check(String(name));
          if (error && name === "write") await (target as StoreFile).write(...half(args));
          if (error && name === "close") await (target as StoreFile).close();
          if (error) throw error;
          return after(await Reflect.apply(member, target, args));
        };
      },
    });
  const openFile = (value: unknown) => wrapped(value as StoreFile, (result) => result);
  const files = { ...nodeFiles, open: undefined } as unknown as FileSystem;
  return {
    done,
    files: new Proxy(files, {
      get(_, name) {
        const source = { open: nodeFiles.open, [name]: Reflect.get(nodeFiles, name) };
        return Reflect.get(wrapped(source, name === "open" ? openFile : (value) => value), name);
      },
    }),
  };
}

function half([bytes, from, length, position]: unknown[]): [Buffer, number, number, number] {
  return [bytes as Buffer, from as number, Math.floor((length as number) / 2), position as number];
}
