import type { ContractCase } from "../contract-case.js";
import { type HarnessOfParts, HarnessPlace } from "./harness-place.js";
import { PROMPT_TURNS } from "./prompt-turn-checks.js";
import { UNFINISHED_TURNS } from "./unfinished-turn-checks.js";

/**
 * The promises of an adapter for the AI SDK's `HarnessAgent` over an engine: what `loopwrightHarness` keeps, and one of your own has to.
 *
 * @example
 * for (const c of harnessContract((parts) => loopwrightHarness({ engine: new AgentEngine(parts) }))) test(c.name, c.run);
 */
export function harnessContract(makeHarness: HarnessOfParts): ContractCase[] {
  return Object.entries({ ...PROMPT_TURNS, ...UNFINISHED_TURNS }).map(([name, check]) => ({
    name,
    run: () => check(new HarnessPlace(makeHarness)),
  }));
}
