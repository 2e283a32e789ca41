import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plotsOf } from "../../bench/plots.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the plots of other libraries are those of the results (npx tsx bench/plots.ts draws them)", () => {
  const plots = plotsOf(read("bench/results-peers.md"));

  expect(Object.keys(plots)).toEqual(readdirSync(new URL("../../docs/images", import.meta.url)));
  for (const [file, plot] of Object.entries(plots)) expect(read(`docs/images/${file}`)).toBe(plot);
});

test("a bar is as long as its figure, the least first, and every name is escaped", () => {
  const table = "| x | a |\n| - | - |\n| loopwright 1.0 | 10 µs (1.0) |\n| <b> 2 | 5 µs (2.0) |\n";

  const plot = plotsOf(`${table}\n${table}`)["peers-turns.svg"]!;

  const widths = [...plot.matchAll(/<rect class="bar[^"]*" .*?width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toHaveLength(2);
  expect(widths[1]! / widths[0]!).toBeCloseTo(2, 1);
  expect(plot).toContain("&lt;b&gt;");
  expect(plot).not.toContain("<b>");
});
