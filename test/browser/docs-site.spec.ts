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

test("the search finds an exported name", async () => {
  const { page } = await open("/");
  await page.click(".VPNavBarSearchButton, .DocSearch-Button");
  await page.fill(".VPLocalSearchBox input", "createPermissionChecker");
  await page.waitForSelector(".VPLocalSearchBox .result");

  expect(await page.textContent(".VPLocalSearchBox .results")).toMatch(/createPermissionChecker/);
});

test("every exported name has its place in the reference", () => {
  const src = join(ROOT, "src");
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const missing = paths.flatMap((path) => {
    const index = join(path, "index.ts");
    const page = path === "." ? "api/index.html" : join("api", `${path}.html`);
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
