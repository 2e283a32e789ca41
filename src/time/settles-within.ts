/** Resolves with whether the promise settles in that time. Leaves no timer behind, and its failure harms nobody. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = () => true;
  return Promise.race([promise.then(settled, settled), isOver]).finally(() => clearTimeout(timer));
}
