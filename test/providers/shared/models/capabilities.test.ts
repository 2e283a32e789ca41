// What the catalogue says of each model is what the adapters begin with; of other models they begin with what the name says.
import { expect, test } from "vitest";
import { initialModelCapabilities, thinksByEffort } from "../../../../src/providers/anthropic/model-capabilities.js";
import { initialModelFeatures } from "../../../../src/providers/google/model-features.js";
import { atLeast, leastEffortOf, reasons } from "../../../../src/providers/openai/efforts.js";
import { takesBreakpoints } from "../../../../src/providers/openai/responses/cache-breakpoints.js";
import { findModelLimits } from "../../../../src/providers/shared/models/known-models.js";
import { readCatalogue } from "./catalogue.js";

const { models } = readCatalogue();
const priced = models.filter(({ costs: [input = 0], window }) => input > 0 && window >= 32_000);
const of = (vendor: string) => priced.filter((model) => model.vendor === vendor);

test.each(of("anthropic"))(
  "anthropic/$model thinks and takes a temperature as the catalogue says",
  ({ model, traits }) => {
    const { thinking, temperature } = initialModelCapabilities(model);

    expect({ thinking, temperature }).toEqual({
      thinking: traits.includes("adaptive") ? "adaptive" : "budget",
      temperature: !traits.includes("no-temperature"),
    });
    expect(initialModelCapabilities(`us.anthropic.${model}-v1:0`)).toEqual(initialModelCapabilities(model));
    expect(thinksByEffort(model)).toBe(thinking === "adaptive" || model.startsWith("claude-opus-4-5"));
  },
);

test.each(of("openai"))(
  "openai/$model reasons and marks its cache as the catalogue says",
  ({ model, least, traits }) => {
    if (least === undefined) return expect(leastEffortOf({ provider: "openai", model })).toBe("none");
    expect(reasons(model)).toBe(least !== "off");
    expect(leastEffortOf({ provider: "openai", model })).toBe(least === "off" ? "none" : least);
    expect(takesBreakpoints(model)).toBe(traits.includes("cache-marks"));
  },
);

test.each(of("google").filter(({ least }) => least !== undefined))(
  "google/$model thinks at least as little as the catalogue says",
  ({ model, least }) => {
    const { thinking, minLevel } = initialModelFeatures(model);

    expect({ thinking, minLevel }).toEqual({ thinking: "level", minLevel: least });
  },
);

test("each model of the catalogue has a window, and the output limit of vendors that publish one", () => {
  const published = ["openai", "anthropic", "google", "deepseek", "groq"].flatMap(of);

  const wrong = published.filter(({ vendor, model, output, window }) => {
    const limits = findModelLimits({ provider: vendor, model });
    return !limits || (output < window && limits.maxOutputTokens !== output);
  });
  expect(wrong).toEqual([]);
});

test("models that nobody has listed begin with what their names say", () => {
  expect(initialModelCapabilities("claude-opus-9")).toMatchObject({ thinking: "adaptive", temperature: true });
  expect(initialModelCapabilities("claude-3-7-sonnet-20250219").thinking).toBe("budget");
  expect(initialModelCapabilities("kimi-k3").thinking).toBe("budget");
  expect(initialModelFeatures("gemini-9-flash")).toMatchObject({ thinking: "level", minLevel: "minimal" });
  expect([reasons("gpt-9"), reasons("gpt-4.5-preview"), takesBreakpoints("gpt-9")]).toEqual([true, false, true]);
  expect(leastEffortOf({ provider: "my-proxy", model: "gpt-5-pro" })).toBe("none");
});

test("an effort is at least the one that the model takes", () => {
  expect(["none", "low", "high", "max"].map((effort) => atLeast("medium", effort as "low"))).toEqual([
    "medium",
    "medium",
    "high",
    "max",
  ]);
});
