import { expect, test } from "vitest";
import { chooseModel, connectModel, modelNames } from "../../../src/program/models/model-choice.js";
import { readOwnModels } from "../../../src/program/models/own-models.js";
import { directoryWith, modelServer, runHere } from "../kit.js";

const FILE = {
  providers: {
    rack: {
      baseURL: "http://127.0.0.1:1/v1",
      apiKeyEnv: "RACK_KEY",
      compat: { thinkTags: true },
      models: {
        "qwen3-coder": { contextWindow: 40_000, maxOutputTokens: 4_000, price: { inputUsd: 1, outputUsd: 10 } },
      },
    },
    claude: { api: "anthropic", baseURL: "http://127.0.0.1:1", models: { own: {} } },
  },
  aliases: { fast: "rack/qwen3-coder", opus: "claude/own" },
};

function homeWith(file: unknown): Record<string, string> {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  return { LOOPWRIGHT_HOME: directoryWith({ "models.json": text }) };
}

test("servers, models and names of the user's own come before the known ones", () => {
  const env = { ...homeWith(FILE), RACK_KEY: "k" };
  const own = readOwnModels(env);

  expect(chooseModel(["fast"], env, own)).toBe("rack/qwen3-coder");
  expect(chooseModel(["opus"], env, own)).toBe("claude/own");
  expect(connectModel("fast", env, own)).toMatchObject({
    id: "rack",
    model: "qwen3-coder",
    contextWindow: 40_000,
    maxOutputTokens: 4_000,
  });
  expect(connectModel("rack/not-listed", env, own)).toMatchObject({ id: "rack", model: "not-listed" });
  expect(connectModel("claude/own", env, own)).toMatchObject({ id: "claude", model: "own" });
  expect(modelNames(env, own)).toEqual(["fast", "opus", "rack/qwen3-coder", "claude/own"]);
  expect(() => connectModel("fast", {}, own)).toThrow("The model rack/qwen3-coder needs a key: set RACK_KEY.");
});

test("an alias names a model, never another alias", () => {
  const own = readOwnModels(homeWith({ aliases: { a: "b", b: "a", c: "openai/gpt-5.1" } }));

  expect(chooseModel(["c"], {}, own)).toBe("openai/gpt-5.1");
  expect(() => chooseModel(["a"], {}, own)).toThrow('"b" does not say whose model it is.');
});

test.each([
  ["{ nonsense", "is not JSON"],
  [{ providers: { rack: { baseURL: "file:///x" } } }, "providers.rack.baseURL"],
  [{ providers: { rack: { baseURL: "http://h", apiKey: "sk-1" } } }, 'providers.rack: Unrecognized key: "apiKey"'],
  [{ providers: { "a/b": { baseURL: "http://h" } } }, "is not a name"],
  [{ providers: { rack: { baseURL: "http://h", models: { m: { contextWindow: -1 } } } } }, "models.m.contextWindow"],
])("a file that cannot be used is refused with the place: %j", (file, message) => {
  expect(() => readOwnModels(homeWith(file))).toThrow(message);
});

test("-p runs with a model of the file, at its price, and sends it the key of its variable and no other", async () => {
  const { url, requests } = await modelServer({ text: "Hello." });
  const rack = { baseURL: url, apiKeyEnv: "RACK_KEY", models: { small: { price: { inputUsd: 1, outputUsd: 10 } } } };
  const env = {
    ...homeWith({ providers: { rack, free: { baseURL: url } }, aliases: { fast: "rack/small" } }),
    RACK_KEY: "of-the-rack",
    OPENAI_API_KEY: "of-openai",
  };
  const args = ["-p", "--model", "fast", "--output-format", "json", "Say hello"];

  const { code, stdout } = await runHere(args, { cwd: directoryWith(), home: directoryWith(), env });

  expect(code).toBe(0);
  // 100 tokens in, 10 out.
  expect(JSON.parse(stdout)).toMatchObject({ model: "rack/small", costUsd: 0.0002 });
  expect(requests[0]!.headers.authorization).toBe("Bearer of-the-rack");
});

test("a server without a variable for its key gets none of another", async () => {
  const { url, requests } = await modelServer({ text: "Hello." });
  const env = { ...homeWith({ providers: { free: { baseURL: url } } }), OPENAI_API_KEY: "of-openai" };

  await runHere(["-p", "--model", "free/any", "hi"], { cwd: directoryWith(), home: directoryWith(), env });

  expect(JSON.stringify(requests[0])).not.toContain("of-openai");
});
