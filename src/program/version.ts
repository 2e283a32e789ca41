import { readFileSync } from "node:fs";

/** The version of the package that the program is part of; wherever a bundler has put this code, it is further up. */
export function readVersion(): string {
  for (let at = new URL(".", import.meta.url); ; at = new URL("..", at)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL("package.json", at), "utf8"));
      if (name === "loopwright") return version;
    } catch {
      // There is not one here.
    }
    if (at.pathname === "/" || at.href === new URL("..", at).href) return "unknown";
  }
}
