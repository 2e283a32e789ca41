import { localMachine, type Machine } from "loopwright/workspace";

/**
 * A machine whose requests are counted, and the bytes of its answers. The functions that each shell is sent first are none: how many
 * shells there are depends on how busy this machine is.
 */
export function counted(inner: Machine = localMachine()) {
  const machine = {
    name: inner.name,
    trips: 0,
    bytes: 0,
    async start(argv: readonly string[]) {
      const process = await inner.start(argv);
      const writer = process.stdin.getWriter();
      const stdin = new WritableStream<Uint8Array>({
        write: (chunk) => {
          if (/^[0-9a-f]{32}\n(?!export LC_ALL=C\n)/.test(Buffer.from(chunk.subarray(0, 50)).toString()))
            machine.trips++;
          return writer.write(chunk);
        },
        close: () => writer.close(),
      });
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          machine.bytes += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return { ...process, stdin, stdout: process.stdout.pipeThrough(counter) };
    },
    async close() {
      await inner.close?.();
    },
  };
  return machine;
}
