import { AgentEngine } from "loopwright";
import { openai } from "loopwright/providers/openai";
import { expect, test, vi } from "vitest";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";

/** What a run says of a server that nobody reaches. */
async function failureOf(): Promise<string | undefined> {
  const provider = openai({ model: "m", apiKey: "k", baseURL: "http://127.0.0.1:9/v1" });
  const { error } = await new AgentEngine({ provider, retry: false }).run("Hello");
  return error?.message;
}

test("a connection that fails beside a proxy in the environment says how the proxy is used", async () => {
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, undefined);
  expect(await failureOf()).toMatch(/Check baseURL and the network\.$/);

  vi.stubEnv("http_proxy", "http://user:secret@proxy.example:3128");

  const message = await failureOf();
  expect(message).toMatch(
    /http_proxy is set: Node 24 and newer use that proxy with NODE_USE_ENV_PROXY=1; .*pass a fetch/,
  );
  expect(message).not.toContain("secret");
});

test("a refusal that is JSON in a text is read as its value, anything else as its text", () => {
  const failures = new Failures({ provider: "p", model: "m", scrub: (text) => text });
  const wait = '{"error":{"message":"Slow.","details":[{"retryDelay":"9s"}]}}';

  expect(failures.refusal(wait, 429)).toMatchObject({
    message: expect.stringMatching(/: Slow\.$/),
    retryAfterMs: 9_000,
  });
  expect(failures.refusal("not now", 429).message).toMatch(/: not now\.$/);
});
