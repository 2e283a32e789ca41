/** Processor time this process has used. Unit: milliseconds. Unlike a clock, it does not run while others work. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
