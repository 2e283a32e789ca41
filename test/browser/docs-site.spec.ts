import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.js";
import { SEARCHES } from "./site-searches.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "docs/.vitepress/dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

let server: Server;
let browser: Awaited<ReturnType<typeof openChromium>>;
let origin: string;

beforeAll(async () => {
  await promisify(execFile)("npm", ["run", "docs"], { cwd: ROOT, timeout: 900_000 });
  server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const file = join(DIST, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
      .end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openChromium();
}, 900_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** A page, and whatever it asked of another host or complained about. */
async function open(path: string): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) faults.push(request.url());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
  return { page, faults };
}

test("the playground runs the engine: a call asks, is denied, and the run goes on", async () => {
  const { page, faults } = await open("/playground.html");
  await page.selectOption(".playground select", { label: "A call that asks" });
  await page.click(".playground .run");

  await page.waitForSelector(".question");
  const asked = await page.textContent(".question code");
  await page.click(".question .deny");
  await page.waitForSelector(".ending");

  expect(asked).toBe('delete_note {"name":"old.txt"}');
  expect(await page.textContent(".ending")).toBe("completed: Done: whatever you allowed is gone.");
  expect(await page.textContent(".playground table")).toContain('"status":"denied"');
  expect(faults).toEqual([]);
});

test("turns that are not JSON are refused in words, and the page goes on", async () => {
  const { page, faults } = await open("/playground.html");
  await page.fill(".playground textarea", "[{]");
  await page.click(".playground .run");
  await page.waitForSelector(".ending");
  expect(await page.textContent(".ending")).toContain("JSON");

  await page.fill(".playground textarea", '["Hello."]');
  await page.click(".playground .run");
  await page.waitForFunction(() => document.querySelector(".ending")?.textContent === "completed: Hello.");
  expect(faults).toEqual([]);
});

test("every page opens without a fault and without another host", async () => {
  for (const path of ["/", "/README.html", "/why.html", "/api/", "/reference/errors.html", "/recipes/ci.html"]) {
    const { page, faults } = await open(path);
    expect([path, faults, await page.locator("h1").count()]).toEqual([path, [], 1]);
    await page.close();
  }
});

test("a search has the page that answers it among the first three results", async () => {
  const { page } = await open("/");
  await page.click(".VPNavBarSearchButton, .DocSearch-Button");
  const missed: unknown[] = [];
  for (const [query, ...answers] of SEARCHES) {
    await page.fill(".VPLocalSearchBox input", "");
    await page.waitForFunction(() => document.querySelector(".VPLocalSearchBox .result") === null);
    await page.fill(".VPLocalSearchBox input", query);
    await page.waitForSelector(".VPLocalSearchBox .result");
    const links = await page.locator(".VPLocalSearchBox .result").evaluateAll((results) => {
      return results.slice(0, 3).map((result) => result.getAttribute("href")!);
    });
    const found = links.map((link) => link.replace(/^\/|\.html|#.*$/g, ""));
    if (!answers.some((answer) => found.includes(answer))) missed.push({ query, answers, found });
  }

  expect(missed).toEqual([]);
}, 180_000);

test("a name of the reference has a page of its own, which says how it is imported", async () => {
  const { page, faults } = await open("/api/tools/builtinTools.html");

  expect(await page.textContent("h1")).toContain("builtinTools()");
  expect(await page.textContent(".language-ts")).toContain('import { builtinTools } from "loopwright/tools";');
  expect(faults).toEqual([]);
});

test("no page of the reference is longer than 15,000 pixels", async () => {
  for (const path of ["/api/", "/api/AgentEngine.html", "/api/EventPayloads.html", "/api/testing/"]) {
    const { page } = await open(path);
    expect([path, await page.evaluate(() => document.body.scrollHeight < 15_000)]).toEqual([path, true]);
    await page.close();
  }
});

test("the front page shows the demo, the install command and an icon", async () => {
  const { page, faults } = await open("/");

  expect(await page.textContent(".demo .language-sh")).toContain("npm install loopwright");
  const isDrawn = (image: Element) => (image as HTMLImageElement).naturalWidth > 0;
  expect(await page.locator(".demo img").evaluate(isDrawn)).toBe(true);
  const icon = await page.getAttribute('link[rel="icon"]', "href");
  expect(existsSync(join(DIST, icon!))).toBe(true);
  expect(faults).toEqual([]);
});

test("every exported name is in the index of its import path", () => {
  const src = join(ROOT, "src");
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const missing = paths.flatMap((path) => {
    const index = join(path, "index.ts");
    const page = join("api", path, "index.html");
    const html = readFileSync(join(DIST, page), "utf8");
    const names = [...readFileSync(join(src, index), "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list]) => list!.split(","))
      .map((name) =>
        name
          .trim()
          .replace(/^type /, "")
          .replace(/^.* as /, ""),
      )
      .filter((name) => name !== "");
    expect(names.length).toBeGreaterThan(0);
    return names.filter((name) => !new RegExp(`>\\s*${name}\\b`).test(html)).map((name) => `${page}: ${name}`);
  });

  expect(missing).toEqual([]);
});
