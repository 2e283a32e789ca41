// The same script through several libraries: `node peer-turns.js <turns> <rounds> <warmups> <library>…`.
// Prints for each the processor time of a turn, in microseconds.
import { type Contender, interleave } from "../measure.js";

interface Library {
  /** Both answer how many turns there were. */
  run(turns: number): Promise<number>;
  stream(turns: number): Promise<number>;
}

const [turns, rounds, warmups] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const names = process.argv.slice(5);
const contenders: { [name: string]: Contender } = {};
for (const name of names) {
  const [library, way] = name.split(".") as [string, keyof Library];
  const module = (await import(new URL(`../peers/${library}.mjs`, import.meta.url).href)) as Library;
  contenders[name] = async () => {
    const counted = await module[way](turns);
    if (counted !== turns + 1) throw new Error(`${library} took ${counted} turns instead of ${turns + 1}.`);
  };
}
const medians = await interleave(contenders, { rounds, warmups });
const perTurn = names.map((name) => [name, (medians[name]! * 1000) / turns]);
process.stdout.write(JSON.stringify(Object.fromEntries(perTurn)));
