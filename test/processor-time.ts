/**
 * Processor time this process has used. Unit: milliseconds. Unlike a clock, it does not run while others work. A bound is at least 5 s,
 * where the wrong way takes minutes: V8 may collect what hundreds of tests before have left, at any time, and takes a second or two.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
