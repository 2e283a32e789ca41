// Which of a run's options are recorded as it begins, and how a resume gets them back.
import type { JsonSchema } from "../../contracts/json.js";
import type { RunGiven, UnstoredOption } from "../../contracts/session.js";
import { checkOptions, oneOf, tableOf } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { isPlainJsonSchema } from "../../schema/recognise-schema.js";
import { LIMITS_TABLE } from "./limits.js";
import { PERMISSION_MODES } from "./option-tables.js";
import type { RunOptions } from "./options.js";

/** What a session never holds: a host puts users and tokens into a context, and code cannot be kept. */
const UNSTORED: readonly UnstoredOption[] = ["context", "tools", "extraTools"];

/** What is recorded of a run's options. `undefined`: nothing. */
export function givenOf(options: RunOptions): RunGiven | undefined {
  const limits = Object.entries(options.limits ?? {}).filter(([, value]) => Number.isFinite(value));
  const { mode, output } = options;
  const isKept = output !== undefined && isPlainJsonSchema(output);
  const unstored: UnstoredOption[] = UNSTORED.filter((name) => options[name] !== undefined);
  if (output !== undefined && !isKept) unstored.push("output");
  const given: RunGiven = {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(mode !== undefined && { mode }),
    ...(isKept && { output: copyJson(output, true) as JsonSchema }),
    ...(unstored.length > 0 && { unstored }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}

const KEPT = { limits: tableOf(LIMITS_TABLE), mode: oneOf(...PERMISSION_MODES) };

/** A resume's options, and of those that it leaves out what the session has. @throws ConfigurationError `OPTION_INVALID` */
export function withKept(options: RunOptions, { limits, mode, output }: RunGiven): RunOptions {
  checkOptions("the session's run-start", { limits, mode }, KEPT);
  return {
    ...options,
    limits: { ...limits, ...options.limits },
    ...(mode !== undefined && options.mode === undefined && { mode }),
    ...(output !== undefined && options.output === undefined && { output: output as never }),
  };
}
