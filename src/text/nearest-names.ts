const MAX_COMPARED_NAMES = 2_000;
const MAX_NAME_CHARS = 100;

/** The names most like `wanted`, best first; only those that `wanted` could be a misspelling of. */
export function nearestNames(wanted: string, names: readonly string[], max = 3): string[] {
  const target = wanted.toLowerCase().slice(0, MAX_NAME_CHARS);
  const stem = (name: string) => name.replace(/\.[^.]*$/, "");
  return names
    .slice(0, MAX_COMPARED_NAMES)
    .map((name) => {
      const lower = name.toLowerCase().slice(0, MAX_NAME_CHARS);
      const distance = stem(lower) === stem(target) ? 1 : editDistance(lower, target);
      return { name, distance: lower === target ? 0 : distance };
    })
    .filter(({ distance }) => distance <= Math.max(2, target.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, max)
    .map(({ name }) => name);
}

/** The number of letters to change, insert or remove (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
