/** Whether arrays and objects lie in one another more than `levels` deep. Never calls itself, however deep a value is. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let layer: readonly unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true;
    layer = layer.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
    layer = layer.filter((each) => typeof each === "object" && each !== null);
  }
  return false;
}
