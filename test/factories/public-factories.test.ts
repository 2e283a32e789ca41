import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { DIRECTORY, FACTORIES, WITHOUT_OPTIONS } from "./public-factories.js";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const FACTORY_NAME = /^(create|load|define|with|connect|serve|instrument|evaluate|probe)[A-Z]/;
const OPTIONS_TYPE = /\b\w*(Options|Policy|Samples|Filter)\b/;

afterAll(() => rmSync(DIRECTORY, { recursive: true, force: true }));

/** What calling a factory fails with, at once or later; `null` when it does not. */
async function failureOf(call: () => unknown): Promise<{ code?: string; message: string } | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return error as { code?: string; message: string };
  }
}

/** The options with one more at a path such as `sources.0`; all else is shared. */
function withOption(options: object, path: string, name: string): object {
  if (path === "") return Array.isArray(options) ? options : { ...options, [name]: 1 };
  const [first = "", ...rest] = path.split(".");
  const inside = withOption(Reflect.get(options, first), rest.join("."), name);
  return Array.isArray(options) ? options.with(Number(first), inside) : { ...options, [first]: inside };
}

describe.each(Object.entries(FACTORIES))("%s", (_name, { valid, call, nested = [] }) => {
  test("takes its options", async () => {
    const failure = await failureOf(() => call(valid));

    expect(failure?.code === "OPTION_INVALID" ? failure.message : null).toBeNull();
  });

  test("refuses an option it does not know, and names it", async () => {
    const failure = await failureOf(() => call(withOption(valid, "", "frobnicate")));

    expect(failure).toMatchObject({ code: expect.stringMatching(/^(OPTION|TOOL|SKILL)_INVALID$/) });
    expect(failure?.message).toContain("frobnicate");
  });

  test("a slip of a letter is answered with the name that was meant", async () => {
    const [meant = ""] = Object.keys(valid).slice(-1);
    const failure = await failureOf(() => call(withOption(valid, "", `${meant}x`)));

    expect(failure?.message).toContain(`${meant}x`);
    expect(failure?.message).toContain(`"${meant}"`);
  });

  for (const path of nested) {
    test(`refuses an option it does not know in ${path}`, async () => {
      const failure = await failureOf(() => call(withOption(valid, path, "frobnicate")));

      expect(failure).toMatchObject({ code: "OPTION_INVALID" });
      expect(failure?.message).toContain("frobnicate");
    });
  }
});

test("every public function that takes options, or makes something, is in the table", () => {
  const missing: string[] = [];
  for (const index of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    if (!/(^|[\\/])index\.ts$/.test(index)) continue;
    const text = readFileSync(join(SRC, index), "utf8");
    for (const [, names = "", file = ""] of text.matchAll(/^export \{([^}]*)\} from "([^"]+)";/gm)) {
      const path = join(SRC, dirname(index), file.replace(/\.js$/, ".ts"));
      if (path.endsWith("index.ts")) continue;
      const source = readFileSync(path, "utf8");
      for (const name of names
        .split(",")
        .map((each) => each.trim())
        .filter((each) => /^[A-Za-z]\w*$/.test(each))) {
        const [, parameters] =
          new RegExp(`^export (?:async )?function\\*? ${name}\\b[^(]*(\\([\\s\\S]*?\\)):`, "m").exec(source) ?? [];
        if (parameters === undefined) continue;
        const isFactory = FACTORY_NAME.test(name) || OPTIONS_TYPE.test(parameters);
        if (isFactory && !Object.hasOwn(FACTORIES, name) && !WITHOUT_OPTIONS.has(name))
          missing.push(`${index}: ${name}`);
      }
    }
  }

  expect(missing).toEqual([]);
});
