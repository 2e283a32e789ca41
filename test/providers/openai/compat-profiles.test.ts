import { afterEach, expect, test, vi } from "vitest";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { probeProvider, withRetry } from "../../../src/providers/index.js";
import { compatProfiles, openai } from "../../../src/providers/openai/index.js";
import { createFaultServer, sse } from "../../../src/testing/fault-server/index.js";
import type { WireBody } from "../wire-body.js";
import { playServer, type ServerQuirks } from "./playing-server.js";
import { outcome, request } from "./streams.js";

afterEach(() => void vi.unstubAllEnvs());

/** The quirks each server is known for. */
const KNOWN: Readonly<Record<keyof typeof compatProfiles, ServerQuirks>> = {
  deepseek: {
    refuses: ["reasoning_effort_none", "prompt_cache_key"],
    formats: ["json_object"],
    wantsReasoning: true,
    thinks: "reasoning_content",
    maxTokensField: "max_tokens",
  },
  kimi: { refuses: ["prompt_cache_key", "reasoning_effort"], wantsReasoning: true, thinks: "reasoning_content" },
  qwen: {
    refuses: ["reasoning_effort", "thinking"],
    refusesNullContent: true,
    formats: ["json_object"],
    maxTokensField: "max_tokens",
  },
  glm: { refuses: ["tool_choice", "reasoning_effort"], formats: ["json_object"], alwaysCounts: true },
  openrouter: { thinks: "reasoning", maxTokensField: "max_tokens" },
  groq: {
    refuses: ["max_tokens", "prompt_cache_key"],
    refusesInMessages: ["reasoning_content", "reasoning", "reasoning_details"],
    maxTokensField: "max_completion_tokens",
    thinks: "reasoning",
  },
  together: { thinks: "tags" },
  mistral: {
    refuses: ["stream_options", "max_completion_tokens", "prompt_cache_key"],
    wantsShortIds: true,
    alwaysCounts: true,
  },
  xai: { maxTokensField: "max_completion_tokens", thinks: "reasoning_content" },
  ollama: { ignoresToolChoice: true, thinks: "tags", maxTokensField: "max_tokens" },
  vllm: { thinks: "tags" },
  llamaCpp: { thinks: "tags" },
  lmStudio: { thinks: "tags" },
};

const probe = defineTool({
  name: "probe",
  description: "Probes.",
  permission: "read_only",
  input: { type: "object" },
  execute: async () => "done",
});

for (const [name, quirks] of Object.entries(KNOWN)) {
  test(`the profile of ${name} needs no refused request: a run with a tool, a limit, reasoning and a schema`, async () => {
    const { id, compat, apiKeyEnv } = compatProfiles[name as keyof typeof compatProfiles];
    await using server = await createFaultServer((asked, n) => {
      const reply = playServer(quirks)(asked);
      // The model calls the tool first; what it says then is up to the server.
      return n === 0 && reply.status === undefined
        ? playServer({ thinks: quirks.thinks })({
            ...asked,
            body: { ...(asked.body as object), tool_choice: "required" },
          })
        : reply;
    });
    vi.stubEnv(apiKeyEnv, "key-of-this-server");
    const provider = openai({ id, compat, apiKeyEnv, model: "m", baseURL: server.url });
    const engine = new AgentEngine({
      provider,
      tools: [probe],
      limits: { maxOutputTokens: 1_000 },
      modelOptions: { reasoning: "low" },
      retry: false,
    });

    const result = await engine.run("go");

    expect(result).toMatchObject({ status: "completed", text: "ok", turns: 2 });
    const output = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    const structured = await outcome(provider.stream(request({ output, toolChoice: "none" }, "probe")));
    expect(structured.error).toBeUndefined();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill("Bearer key-of-this-server"),
    );
  });

  test(`a probe finds out the quirks of ${name}`, async () => {
    await using server = await createFaultServer(playServer(quirks));
    const provider = openai({ id: "unknown", apiKey: "secret-key-123456", model: "m", baseURL: server.url });

    const profile = await probeProvider(provider);

    expect(profile).toEqual({
      id: "unknown",
      baseURL: server.url,
      apiKeyEnv: "OPENAI_API_KEY",
      compat: expect.any(Object),
    });
    expect(server.requests.length).toBeLessThanOrEqual(20);
    expect(String(profile)).toContain("satisfies CompatProfile");
    expect(String(profile)).not.toContain("secret-key");
    const { compat } = profile;
    if (quirks.refuses?.includes("stream_options")) expect(compat.streamUsage).toBe(false);
    else expect(compat.streamUsage).toBe(true);
    if (quirks.maxTokensField && quirks.maxTokensField !== "either") {
      expect(compat.maxTokensField).toBe(quirks.maxTokensField);
    }
    expect(compat.shortCallIds).toBe(quirks.wantsShortIds);
    expect(compat.nullContent).toBe(quirks.refusesNullContent ? false : undefined);
    expect(compat.toolChoice).toBe(!(quirks.ignoresToolChoice || quirks.refuses?.includes("tool_choice")));
    expect(compat.thinkTags).toBe(quirks.thinks === "tags" ? true : undefined);
    expect(compat.jsonSchema).toBe(quirks.formats ? "object" : true);
    expect(compat.reasoningField).toBe(
      quirks.wantsReasoning ? "reasoning_content" : quirks.refusesInMessages ? "none" : undefined,
    );

    // What was found is enough: a run on it is not refused.
    const before = server.requests.length;
    const again = openai({ ...profile, apiKey: "k", model: "m" });
    const asked = request({ maxOutputTokens: 100, reasoning: "low", output: { type: "object" } }, "probe");
    expect((await outcome(again.stream(asked))).error).toBeUndefined();
    expect(server.requests.length - before).toBe(1);
  });
}

test("a server that knows nothing but the protocol's beginnings is found out", async () => {
  await using server = await createFaultServer(
    playServer({ refusesUnknown: true, refuses: ["stream_options", "response_format", "tool_choice"] }),
  );

  const { compat } = await probeProvider(openai({ apiKey: "k", model: "m", baseURL: server.url }));

  expect(compat).toEqual({
    streamUsage: false,
    maxTokensField: "max_tokens",
    toolChoice: false,
    jsonSchema: false,
    reasoningControl: "none",
  });
});

test.each([
  ["text", "content"],
  ["reasoning", "reasoning_content"],
])(
  "a server whose pieces of %s hold all that came before is found out, and read once with its profile",
  async (_what, field) => {
    const cumulative = (said: string) => {
      const pieces = said === "ok" ? ["ok"] : [...said].map((_, at) => said.slice(0, at + 1));
      const chunks = pieces.map((piece) => ({
        choices: [{ index: 0, delta: { [field]: piece }, finish_reason: null }],
      }));
      return { body: sse([...chunks, { choices: [{ index: 0, delta: { content: "" }, finish_reason: "stop" }] }]) };
    };
    await using server = await createFaultServer(({ body }) =>
      cumulative(
        JSON.stringify(body).includes("Say in JSON")
          ? '{"ok": true}'
          : JSON.stringify(body).includes("Count")
            ? "1, 2, 3"
            : "ok",
      ),
    );
    const plain = openai({ apiKey: "k", model: "m", baseURL: server.url });

    const { compat } = await probeProvider(plain);

    expect(compat).toMatchObject({ cumulativeText: true, jsonSchema: field === "content" });
    const asked = request({ messages: [{ role: "user", content: [{ type: "text", text: "Count." }] }] });
    const { events } = await outcome(openai({ apiKey: "k", model: "m", baseURL: server.url, compat }).stream(asked));
    expect(
      events.map((event) => (event.type.endsWith("-delta") ? (event as { text: string }).text : "")).join(""),
    ).toBe("1, 2, 3");
  },
);

test.each([
  ["a count in pieces", ["1", ", ", "2", ", ", "3"]],
  ["a whole reply, said twice", ["1, 2", "1, 2"]],
  ["two pieces that begin alike", ["1", "1, 2, 3"]],
])("%s is no reason to read a server's text differently", async (_what, pieces) => {
  const chunks = pieces.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  await using server = await createFaultServer({ body: sse([...chunks, end]) });

  const { compat } = await probeProvider(openai({ apiKey: "k", model: "m", baseURL: server.url }));

  expect(compat).not.toHaveProperty("cumulativeText");
});

test("the first role that takes the system prompt is found, or the user's", async () => {
  const refusing = (...roles: string[]) =>
    createFaultServer((asked) => {
      const role = (asked.body as WireBody).messages[0].role;
      const message = `${role} role not supported`;
      return roles.includes(role)
        ? { status: 400, body: JSON.stringify({ error: { message } }) }
        : playServer({})(asked);
    });
  await using neither = await refusing("system", "developer");
  await using developer = await refusing("system");

  const found = [neither, developer].map(({ url }) => probeProvider(openai({ apiKey: "k", model: "m", baseURL: url })));

  expect((await Promise.all(found)).map(({ compat }) => compat.systemRole)).toEqual(["user", "developer"]);
});

test("a server that refuses everything is the probe's failure, and a busy one is asked again", async () => {
  await using locked = await createFaultServer({ status: 401, body: "{}" });
  await using busy = await createFaultServer((asked, n) =>
    n === 0 ? { status: 429, headers: { "retry-after-ms": "5" } } : playServer({})(asked),
  );

  await expect(probeProvider(openai({ apiKey: "k", model: "m", baseURL: locked.url }))).rejects.toMatchObject({
    code: "AUTH",
  });
  await expect(probeProvider(openai({ apiKey: "k", model: "m", baseURL: busy.url }))).resolves.toMatchObject({
    compat: { streamUsage: true },
  });
});

test("an abort ends a probe, also while it waits", async () => {
  for (const reply of [{ delayMs: 60_000 }, { status: 429, headers: { "retry-after": "20" } }]) {
    await using server = await createFaultServer(reply);
    const controller = new AbortController();
    const probing = probeProvider(openai({ apiKey: "k", model: "m", baseURL: server.url }), controller);
    probing.catch(() => {});
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));

    controller.abort("enough");

    await expect(probing).rejects.toBe("enough");
  }
});

test("a server that never ends its reply is the probe's failure", async () => {
  await using silent = await createFaultServer({ delayMs: 60_000 });

  const probing = probeProvider(openai({ apiKey: "k", model: "m", baseURL: silent.url }), { timeoutMs: 50 });

  await expect(probing).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("50 ms") });
});

test("other providers cannot be probed", async () => {
  const decorated = withRetry(openai({ apiKey: "k", model: "m" }));

  for (const provider of [decorated, openai({ apiKey: "k", model: "m", api: "responses" })]) {
    await expect(probeProvider(provider)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  }
});

test("a hosted server's own key is needed, and OpenAI's is not sent to it", () => {
  vi.stubEnv("OPENAI_API_KEY", "sk-of-openai");
  vi.stubEnv("DEEPSEEK_API_KEY", "");

  expect(() => openai({ ...compatProfiles.deepseek, model: "deepseek-v4-pro" })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining("DEEPSEEK_API_KEY") }),
  );
  expect(openai({ ...compatProfiles.ollama, model: "qwen3" }).id).toBe("ollama");
});

test("windows and prices of a profile's well-known models are known", () => {
  vi.stubEnv("XAI_API_KEY", "k");
  const provider = openai({ ...compatProfiles.xai, model: "grok-4.6" });

  expect(provider.contextWindow).toBe(500_000);
  expect(provider.prices!({ provider: "xai", model: "grok-4.6" }, { inputTokens: 1_000_000, outputTokens: 0 })).toBe(4);
});
