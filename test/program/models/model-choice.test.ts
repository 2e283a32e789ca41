import { expect, test, vi } from "vitest";
import { chooseModel, connectModel, findModel, modelNames } from "../../../src/program/models/model-choice.js";

const ALL = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" };

test.each([
  [[undefined, undefined, undefined], ALL, "anthropic/claude-sonnet-5"],
  [[undefined], { OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" }, "openai/gpt-5.1"],
  [[undefined], { GOOGLE_API_KEY: "g" }, "google/gemini-2.5-pro"],
  [["openai/gpt-5.1", "google/x"], {}, "openai/gpt-5.1"],
  [[undefined, "google/gemini-3-flash", "opus"], ALL, "google/gemini-3-flash"],
  [["  ", "haiku"], {}, "anthropic/claude-haiku-4-5"],
  [["gemini/gemini-2.5-pro"], {}, "google/gemini-2.5-pro"],
  [["claude-opus-5"], ALL, "anthropic/claude-opus-5"],
  [["openrouter/meta-llama/llama-4"], {}, "openrouter/meta-llama/llama-4"],
  [["my-model"], { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "openai/my-model"],
  [["meta-llama/llama-4"], { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "openai/meta-llama/llama-4"],
])("of the wishes %j with %j it is %s", (wishes, env, expected) => {
  expect(chooseModel(wishes, env)).toBe(expected);
});

test.each([
  [[undefined], {}, "There is no model to talk to"],
  [[undefined], { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "only you know its models"],
  [["antropic/claude"], {}, "Did you mean anthropic/claude?"],
  [["nonsense"], ALL, "does not say whose model it is"],
])("without a usable model it says so: %j with %j", (wishes, env, message) => {
  expect(() => chooseModel(wishes, env)).toThrow(message);
});

test("a model is connected when its vendor has a key, or needs none", () => {
  vi.stubEnv("OPENAI_API_KEY", "o");
  vi.stubEnv("OPENAI_BASE_URL", undefined);

  expect(connectModel("openai/gpt-5.1", { OPENAI_API_KEY: "o" })).toMatchObject({ id: "openai", model: "gpt-5.1" });
  expect(connectModel("ollama/qwen3", {})).toMatchObject({ id: "ollama", model: "qwen3" });
  expect(() => connectModel("anthropic/claude-sonnet-5", {})).toThrow("set ANTHROPIC_API_KEY");
  expect(findModel("sonnet", {})).toBeUndefined();
  expect(modelNames({ OPENAI_API_KEY: "o" })).toEqual(expect.arrayContaining(["openai/gpt-5.1"]));
});
