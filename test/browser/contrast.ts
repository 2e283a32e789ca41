// Contrast of all text that a page shows, by the formula of WCAG 2.
import type { Page } from "playwright-core";

/** Texts below the ratio of level AA: 4.5, or 3 for large text. */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = [number, number, number, number];
    const parse = (css: string) => {
      const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
      context.fillStyle = css;
      context.clearRect(0, 0, 1, 1);
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a! / 255] as Colour;
    };
    const luminance = ([r, g, b]: Colour) => {
      const linear = [r, g, b]
        .map((value) => value / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
    };
    const backOf = (element: Element): Colour => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour[3] === 1) return colour;
      }
      return parse("Canvas");
    };
    const low: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      const text = node.textContent!.trim();
      if (text === "" || !element.checkVisibility()) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const size = Number.parseFloat(fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      const [one, other] = [luminance(parse(color)), luminance(backOf(element))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < (isLarge ? 3 : 4.5)) low.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
    }
    return low;
  });
}
