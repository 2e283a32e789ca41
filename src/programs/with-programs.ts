import type { Registry } from "../contracts/tool.js";
import {
  byDefault,
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  STRING,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import type { Isolate } from "./isolate/isolate.js";
import { nodeWorker } from "./isolate/node-worker.js";
import { ProgramRegistry } from "./program-registry.js";
import { LIMITS, type ProgramLimits } from "./program-settings.js";

/** Options of `withPrograms()`. */
export interface ProgramsOptions {
  /**
   * Names of tools that programs may call; a name may end in `*`. Default: all, also those that `deferTools()` hides, but those that
   * start sub-agents or concern the conversation itself: `ask_user`, `compact`, `todo_write`. A name that is written out counts for
   * those, too. A tool's `callers` is stricter.
   */
  readonly tools?: readonly string[] | undefined;
  /**
   * Names of tools that only programs may call; a name may end in `*`. The model is not shown them, and a call by it fails. Default:
   * none.
   */
  readonly only?: readonly string[] | undefined;
  /** The most tools that are declared in the description of `run_program`; the others are searched. Default: 20. */
  readonly declare?: number | undefined;
  /** The limits of a program. */
  readonly limits?: ProgramLimits | undefined;
  /** The isolate that programs run in. Default: `nodeWorker()`. */
  readonly isolate?: Isolate | undefined;
}

const OPTIONS = {
  tools: listOf(STRING, "names of tools"),
  only: listOf(STRING, "names of tools"),
  declare: byDefault(20, numberFrom(0, "tools", 1_000)),
  limits: tableOf(LIMITS),
  isolate: withMethods("load", "start"),
} satisfies OptionTable<ProgramsOptions>;

const REGISTRY = optionOf(
  (value) => typeof Reflect.get(Object(value), "list") === "function" && !Array.isArray(value),
  "a registry, such as new ToolRegistry(tools)",
);

/**
 * A registry with one more tool, `run_program { program }`: the model writes JavaScript that calls the other tools, in loops and side by
 * side, and reads only what the program returns or logs.
 *
 * A program has no files, network, timers or modules, and nothing of the host. Each of its calls goes through hooks, rules and approvals
 * as if the model had made it. A call that asks a person suspends the run; when it is answered, also by another process, the program
 * is run again from its start, and the calls it had finished are answered from the session.
 *
 * It follows the registry that it is made of, and combines with `deferTools()` in either order. Needs the package `quickjs-wasi`, which is
 * loaded with the first program: without it a program's result has the code `PEER_MISSING`.
 *
 * @throws ConfigurationError `OPTION_INVALID`; `TOOL_DUPLICATE` for a registry with tools of the names `run_program`, `searchTools` or
 * `describeTool`
 */
export function withPrograms(registry: Registry, options: ProgramsOptions = {}): Registry {
  checkOptions("withPrograms()", { registry }, { registry: REGISTRY });
  const { tools, only = [], declare, isolate = nodeWorker() } = checkOptions("withPrograms()", options, OPTIONS);
  const limits = checkOptions("withPrograms()", options.limits ?? {}, LIMITS);
  return new ProgramRegistry(registry, { tools, only, declare, limits, isolate });
}
