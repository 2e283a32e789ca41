import { expect, test } from "vitest";
import { isHostedBy, isHttpUrl, joinURL } from "../../../../src/providers/shared/http/base-url.js";

test.each([
  ["http://localhost:8080/v1", "/chat", "http://localhost:8080/v1/chat"],
  ["http://localhost:8080/v1/", "/chat", "http://localhost:8080/v1/chat"],
  ["http://localhost:8080/v1/chat", "/chat", "http://localhost:8080/v1/chat"],
  ["https://host.test/v1?key=a", "/chat?alt=sse", "https://host.test/v1/chat?key=a&alt=sse"],
  ["https://host.test#part", "/chat", "https://host.test/chat"],
])("%s and %s are %s", (base, path, joined) => {
  expect(joinURL(base, path)).toBe(joined);
});

test("an address has a web protocol and no credentials", () => {
  expect(isHttpUrl("https://host.test/v1")).toBe(true);
  for (const value of [
    "host.test",
    "file:///etc",
    "https://user:secret@host.test",
    "https://user@host.test",
    3,
    null,
  ]) {
    expect(isHttpUrl(value)).toBe(false);
  }
});

test("a domain holds its subdomains, not one that only ends the same", () => {
  expect(isHostedBy("https://api.openai.com/v1", "openai.com")).toBe(true);
  expect(isHostedBy("https://openai.com", "openai.com")).toBe(true);
  expect(isHostedBy("https://notopenai.com", "openai.com")).toBe(false);
  expect(isHostedBy("openai.com", "openai.com")).toBe(false);
});
