import type { PermissionMode } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { BaseTool } from "../contracts/tool.js";
import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { PERMISSION_MODES } from "../engine/options/option-tables.js";
import {
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  recordOf,
  STRING,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import { unsupportedByHarness } from "./capability.js";
import { ASK, ASK_TOOL, ShownNames } from "./common-tools.js";
import { LoopwrightSession } from "./harness-session.js";
import type { Harness, HarnessPermissionMode, HarnessSession, HarnessStart, HarnessTool } from "./harness-v1.js";
import { HARNESS_ID, STATE_SCHEMA } from "./session-state.js";

/** Options of `loopwrightHarness()`. */
export interface HarnessOptions {
  /**
   * Serves every session. Its tools work in its own workspace, and not in the sandbox of the host. It stays the host's to close, and has
   * no `approver`: the AI SDK's host answers what it asks.
   */
  readonly engine?: AgentEngine | undefined;
  /**
   * Makes an engine for one session, of which it is given what the AI SDK says about it. It is closed with the session. All that it
   * makes keep their sessions in one store. Either this or `engine`.
   */
  readonly createEngine?: ((start: HarnessStart) => AgentEngine | Promise<AgentEngine>) | undefined;
  /** With `createEngine`: the tools its engines have, for the types and filters of the host. Default: none is known. */
  readonly tools?: readonly BaseTool[] | undefined;
  /** Models beside the engine's own, by the names under which a host asks for them. */
  readonly models?: Readonly<Record<string, ProviderAdapter>> | undefined;
  /**
   * The engine's mode for each permission mode of the AI SDK, whose own default is `allow-all`. Rules that deny or ask hold in each
   * of them. Default: `default` for `allow-reads`, `acceptEdits` for `allow-edits`, `bypassPermissions` for `allow-all`.
   */
  readonly modes?: Partial<Readonly<Record<HarnessPermissionMode, PermissionMode>>> | undefined;
  /** The name of the session store, which states then carry: one of another store is refused. Default: not checked. */
  readonly store?: string | undefined;
  /** The harness's name for the AI SDK. Default: `loopwright`. */
  readonly harnessId?: string | undefined;
}

const MODE = oneOf(...PERMISSION_MODES);

const TABLE = {
  engine: withMethods("stream", "resume"),
  createEngine: FUNCTION,
  tools: listOf(withMethods("definition", "execute"), "tools"),
  models: recordOf(withMethods("stream"), "models by name"),
  modes: tableOf({ "allow-reads": MODE, "allow-edits": MODE, "allow-all": MODE }),
  store: STRING,
  harnessId: optionOf(
    (value) => typeof value === "string" && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value),
    "lower-case words joined by hyphens",
  ),
} satisfies OptionTable<HarnessOptions>;

const MODES = { "allow-reads": "default", "allow-edits": "acceptEdits", "allow-all": "bypassPermissions" } as const;

/**
 * An adapter that puts an engine behind the AI SDK: `new HarnessAgent({ harness: loopwrightHarness({ engine }) })`.
 *
 * Sessions, questions and results are in the engine's session store, and states only name them: any process that has the store goes on
 * with a session, and with a turn that was suspended or whose process was killed. A call that has its result is not made again; one that
 * was cut off by a crash follows its tool's `onUnknown`. What cannot be done throws an error that says what to do, which the AI SDK
 * takes for its `HarnessCapabilityUnsupportedError`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function loopwrightHarness(options: HarnessOptions): Harness {
  const settings = checkOptions("loopwrightHarness()", options, TABLE);
  const { engine, createEngine, models = {}, store, harnessId = HARNESS_ID } = settings;
  if ((engine === undefined) === (createEngine === undefined)) {
    throw optionError("loopwrightHarness()", "engine", engine, "an AgentEngine, or createEngine in its place");
  }
  const modes = { ...MODES, ...settings.modes };
  const builtinTools = () => toolSet(engine ? engine.tools.list() : (settings.tools ?? []));
  return {
    specificationVersion: "harness-v1",
    harnessId,
    get builtinTools() {
      return builtinTools();
    },
    supportsBuiltinToolApprovals: true,
    supportsBuiltinToolFiltering: true,
    lifecycleStateSchema: STATE_SCHEMA,
    async doStart(start): Promise<HarnessSession> {
      if (engine && Object.keys(start.headers ?? {}).length > 0) {
        const message =
          "The requests of one engine have the same headers for all. Make an engine for each session with createEngine, which is given the headers.";
        throw unsupportedByHarness(harnessId, message);
      }
      const serving = engine ?? (await createEngine!(start));
      const parts = ENGINE_PARTS.get(serving);
      if (!parts)
        throw optionError("loopwrightHarness()", "createEngine", serving, "a function that returns an AgentEngine");
      if (parts.config.approver) {
        const message =
          "The engine has an approver, which would answer in the place of the AI SDK's host. Make one without it.";
        throw unsupportedByHarness(harnessId, message);
      }
      const known = builtinTools();
      const mode = start.permissionMode && modes[start.permissionMode];
      const isBuiltin = (toolName: string) => Object.hasOwn(known, toolName);
      const session = {
        engine: serving,
        parts,
        isOwnEngine: engine === undefined,
        harnessId,
        store,
        mode,
        models,
        isBuiltin,
      };
      return new LoopwrightSession(session, start);
    },
  };
}

function toolSet(tools: readonly BaseTool[]): Record<string, HarnessTool> {
  const names = new ShownNames(tools.map(({ name }) => name));
  return { ...Object.fromEntries(tools.map((tool) => names.builtin(tool))), [ASK]: ASK_TOOL };
}
