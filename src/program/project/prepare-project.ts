import type { HookMap } from "../../contracts/hook.js";
import { HookRunner } from "../../engine/run/hooks/hook-runner.js";
import { UsageError } from "../exit-codes.js";

/**
 * Runs the `Setup` hooks of settings, as `--init` asks for.
 *
 * @throws UsageError when one of them blocks
 */
export async function prepareProject(hooks: HookMap, signal: AbortSignal): Promise<void> {
  const runner = new HookRunner(hooks);
  const about = { hookEventName: "Setup", sessionId: "", runId: "", agentPath: [], trigger: "init" } as const;
  const { blocked, reason } = await runner.run<"Setup">(about, { signal, matchValue: "init" });
  if (blocked) throw new UsageError(`A Setup hook of settings stops the start: ${reason ?? "it gives no reason"}`);
}
