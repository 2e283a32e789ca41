// The only way this page makes elements: text is always text, never markup.

type Child = Node | string | null | undefined | false;

/** An element with attributes and children. `class` and `on…` handlers included. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: { readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void) } = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAll(element, attributes, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for a drawing. */
export function s(
  tag: string,
  attributes: { readonly [name: string]: string | number | undefined } = {},
  ...children: readonly Child[]
): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  setAll(element, attributes, children);
  return element;
}

function setAll(element: Element, attributes: { readonly [name: string]: unknown }, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}
