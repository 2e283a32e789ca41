import type { ServerCompactor } from "../../contracts/context.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { RUN_PROGRAM } from "../../json/program-source.js";
import type { RunState } from "../run/run-state.js";
import type { AttemptRequest } from "./attempt-signals.js";
import { isRetryingForRun } from "./retry.js";

/** The run's model as one whose server compacts, if it does: asked as in the next request, so that its cache hits. */
export function compactorOf(run: RunState): ServerCompactor | undefined {
  const { id, model, compacts } = run.provider;
  if (!compacts) return undefined;
  const compact: ServerCompactor["compact"] = (messages, instructions) => {
    const { output: _, toolChoice: _free, ...request } = requestOf(run);
    return run.provider.stream({ ...request, messages, compact: instructions === null ? {} : { instructions } });
  };
  return { id, model, compact };
}

/** Beside the tools of the model those for programs alone, where the vendor's server runs the programs and the run has none of its own. */
function toolsOf({ prompt, provider }: RunState): readonly ToolDefinition[] {
  const { tools, forPrograms = [], serverTools } = prompt;
  if (forPrograms.length === 0 || !serverTools?.includes(provider.programs!)) return tools;
  return tools.some(({ name }) => name === RUN_PROGRAM) ? tools : Object.freeze([...tools, ...forPrograms]);
}

/** The same object for every request of an epoch: its arrays grow by themselves. */
export function requestOf(run: RunState): ProviderRequest {
  if (run.prompt.request) return run.prompt.request;
  const { epoch } = run.transcript;
  const request: AttemptRequest = {
    system: run.prompt.system,
    tools: toolsOf(run),
    messages: run.transcript.view,
    ...run.config.modelOptions,
    ...(run.setup.output && { output: run.setup.output.jsonSchema() }),
    ...(run.prompt.serverTools && { serverTools: run.prompt.serverTools }),
    ...(run.config.fitMedia && { fitMedia: run.config.fitMedia }),
    ...(run.limits.maxOutputTokens !== undefined && { maxOutputTokens: run.limits.maxOutputTokens }),
    ...(isRetryingForRun(run.provider) ? { owner: run.lifetime } : { signal: run.lifetime.signal }),
    sessionId: run.sessionId,
    ...(epoch && { epoch: { id: epoch.id, transcriptId: run.transcriptId, cause: epoch.cause } }),
  };
  run.prompt.request = request as ProviderRequest;
  return run.prompt.request;
}
