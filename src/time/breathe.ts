/** Resolves once everything else that is due has had its turn: timers, input, other work. Runs anywhere. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { setImmediate } = globalThis as { setImmediate?: (done: () => void) => unknown };
    if (setImmediate) setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
