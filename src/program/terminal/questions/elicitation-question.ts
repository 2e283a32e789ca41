// A question of an MCP server to the person: its form one value at a time, shown whole before it is sent, or an address
// to open. Invariant: every step offers to decline and to cancel, and nothing is sent that was not on the screen.

import type { PendingRequest } from "../../../contracts/approval.js";
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { ApproverAnswer } from "../../../engine/calls/permission/approval.js";
import { fieldsOf } from "../../../json/is-object.js";
import { splitMcpToolName } from "../../../mcp/tool-name.js";
import { textOrJson } from "../../../text/describe-value.js";
import { exactLine, safeLine, safeText } from "../screen/safe-text.js";
import type { DialogQuestion } from "./approval-question.js";
import type { DialogChoice } from "./choice-dialog.js";
import { type FormField, formFieldsOf, readTyped } from "./form-field.js";

const BY = "the person at the terminal";

interface Choice extends DialogChoice {
  next(text: string): ApproverAnswer | DialogQuestion;
}

/** A question of a server; its answer leads to the next value until the form is complete. */
export function elicitationQuestion({ tool, input, reason, agentPath }: PendingRequest): DialogQuestion {
  const server = splitMcpToolName(tool)?.server.slice("mcp__".length) ?? tool;
  const who = agentPath.length === 0 ? "" : ` (sub-agent ${agentPath.map(safeLine).join(" → ")})`;
  const asking: Asking = {
    title: `The server ${safeLine(server)} asks${who}`,
    message: safeText(reason).split("\n"),
    refusals: [
      { label: "Decline", note: `${safeLine(server)} was told no`, next: () => DECLINED },
      { label: "Cancel", note: "neither yes nor no", next: () => CANCELLED },
    ],
  };
  const { mode, url } = fieldsOf(input);
  if (mode === "url" && typeof url === "string") return addressQuestion(asking, url);
  const fields = formFieldsOf(input);
  return fields.length === 0 ? reviewQuestion(asking, [], {}) : fieldQuestion(asking, fields, 0, {});
}

interface Asking {
  readonly title: string;
  readonly message: readonly string[];
  readonly refusals: readonly Choice[];
}

const DECLINED: ApproverAnswer = { decision: "deny", by: BY, reason: "The user declined." };
/** No value, and not a refusal either: the server is told that the person has left the question. */
const CANCELLED: ApproverAnswer = { value: null, by: BY };

/** The address is never opened by the program: the person sees where it leads, and decides. */
function addressQuestion({ title, message, refusals }: Asking, url: string): DialogQuestion {
  // The reason ends in the address, which stands by itself here.
  const lines = message.at(-1) === safeText(url) ? message.slice(0, -1) : message;
  const host = URL.canParse(url) ? new URL(url).host : "";
  const done: Choice = { label: "I have opened it", next: () => ({ value: {}, by: BY }) };
  return ask(
    title,
    [...lines, "", "Open this address in your browser, if you trust it:", exactLine(url), `host: ${host}`],
    [done, ...refusals],
  );
}

function fieldQuestion(
  asking: Asking,
  fields: readonly FormField[],
  at: number,
  given: JsonObject,
  problem?: string,
): DialogQuestion {
  const field = fields[at]!;
  const { name, title, description, isRequired, options, takesMany, initial } = field;
  const goOn = (value: JsonValue | undefined): DialogQuestion => {
    const now = value === undefined ? given : { ...given, [name]: value };
    return at + 1 < fields.length ? fieldQuestion(asking, fields, at + 1, now) : reviewQuestion(asking, fields, now);
  };
  const typed: Choice = {
    label: takesMany ? "Choose some of these" : "Answer",
    asks: takesMany ? "Numbers or names, with commas in between" : safeLine(title),
    next(text) {
      const read = readTyped(field, text);
      return "value" in read ? goOn(read.value) : fieldQuestion(asking, fields, at, given, read.problem);
    },
  };
  const offered = takesMany
    ? []
    : options.map(({ label, value }): Choice => ({ label: safeLine(label), next: () => goOn(value) }));
  const kept: Choice[] =
    initial === undefined || offered.length > 0 ? [] : [{ label: `Keep ${shown(initial)}`, next: () => goOn(initial) }];
  const skipped: Choice[] = isRequired ? [] : [{ label: "Leave it out", next: () => goOn(undefined) }];
  const count = fields.length === 1 ? "" : ` (${at + 1} of ${fields.length})`;
  const listed = takesMany ? options.map(({ label }, index) => `  ${index + 1}. ${safeLine(label)}`) : [];
  const about = [`${safeLine(title)}${count}`, ...(description === "" ? [] : [safeLine(description)]), ...listed];
  const choices = [...(offered.length > 0 ? offered : [typed]), ...kept, ...skipped, ...asking.refusals];
  const first = Math.max(0, initial === undefined ? 0 : options.findIndex(({ value }) => value === initial));
  return ask(
    asking.title,
    [...asking.message, "", ...about, ...(problem === undefined ? [] : ["", problem])],
    choices,
    takesMany ? 0 : first,
  );
}

function reviewQuestion(asking: Asking, fields: readonly FormField[], given: JsonObject): DialogQuestion {
  const values = fields.map(
    ({ name, title }) => `${safeLine(title)}: ${Object.hasOwn(given, name) ? shown(given[name]!) : "–"}`,
  );
  const send: Choice = { label: fields.length === 0 ? "Accept" : "Send this", next: () => ({ value: given, by: BY }) };
  const again: Choice[] =
    fields.length === 0 ? [] : [{ label: "Start over", next: () => fieldQuestion(asking, fields, 0, {}) }];
  const body = fields.length === 0 ? asking.message : [...asking.message, "", ...values];
  return ask(asking.title, body, [send, ...again, ...asking.refusals]);
}

function ask(title: string, body: readonly string[], choices: readonly Choice[], selected = 0): DialogQuestion {
  return { title, body, choices, selected, answer: ({ index, text }) => choices[index]!.next(text) };
}

function shown(value: JsonValue): string {
  return exactLine(textOrJson(value));
}
