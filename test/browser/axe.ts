// What axe finds wrong with a page: names, roles, order, and contrast of AA.
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Each finding: its rule, and the elements. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated and not added as a script, which the page's Content-Security-Policy would refuse.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}
