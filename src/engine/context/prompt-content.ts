// The prompt of a run, as content parts.
import type { ContentPart } from "../../contracts/content.js";
import { optionError } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { isContentPart } from "../transcript/message-shape.js";

/** @throws ConfigurationError `OPTION_INVALID` unless the input is a string or content parts */
export function checkInput(input: unknown): void {
  if (typeof input === "string" && input !== "") return;
  if (Array.isArray(input) && input.length > 0 && input.every(isContentPart)) return;
  throw optionError(
    "engine.run()",
    "input",
    input,
    "a non-empty string, or a non-empty array of text, image and file parts",
  );
}

/** Input of a run as content parts of the run's own. @throws ConfigurationError `OPTION_INVALID` for what is not JSON */
export function contentOf(input: string | readonly ContentPart[]): readonly ContentPart[] {
  if (typeof input === "string") return [{ type: "text", text: input }];
  try {
    return copyJson(input) as unknown as readonly ContentPart[];
  } catch (error) {
    throw optionError("engine.run()", "input", input, `content parts that are JSON (${describeThrown(error)})`);
  }
}
