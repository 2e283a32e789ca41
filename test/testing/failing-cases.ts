import type { ContractCase } from "../../src/testing/index.js";

/** The names of the cases that fail, in order. */
export async function failingCases(cases: readonly ContractCase[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(cases.map((each) => each.run()));
  return cases.filter((_, index) => outcomes[index]?.status === "rejected").map((each) => each.name);
}
