// Exchanges <root>/flip between a directory and a symbolic link to <outside>, and a file in it likewise, as fast as it can,
// until it is killed. Whoever writes there at the same time may have made either again: every step may fail.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";

const [, , root, outside] = process.argv;
const flip = `${root}/flip`;
const aside = `${root}/aside`;
const attempt = (step) => {
  try {
    step();
  } catch {
    // The other side was faster.
  }
};

for (let count = 0; ; count++) {
  attempt(() => mkdirSync(flip));
  attempt(() => writeFileSync(`${flip}/secret.txt`, "harmless"));
  attempt(() => rmSync(`${flip}/secret.txt`));
  attempt(() => symlinkSync(`${outside}/secret.txt`, `${flip}/secret.txt`));
  attempt(() => rmSync(`${flip}/secret.txt`));
  attempt(() => writeFileSync(`${flip}/secret.txt`, "harmless"));
  attempt(() => renameSync(flip, aside));
  attempt(() => symlinkSync(outside, flip));
  attempt(() => unlinkSync(flip));
  attempt(() => renameSync(aside, flip));
  attempt(() => rmSync(aside, { recursive: true }));
  if (count === 0) process.stdout.write("ready\n");
}
