// A call that needs a person: what exactly would happen, why it is asked, and the answers with the rule each would add.

import type { PendingRequest } from "../../../contracts/approval.js";
import type { JsonValue } from "../../../contracts/json.js";
import type { PermissionUpdate } from "../../../contracts/permission.js";
import type { ApproverAnswer } from "../../../engine/calls/permission/approval.js";
import { fieldsOf } from "../../../json/is-object.js";
import { exactText, safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import type { ChosenAnswer, DialogChoice } from "./choice-dialog.js";

/** A question as the dialog shows it, and what each answer means. */
export interface DialogQuestion {
  readonly title: string;
  readonly body: readonly string[];
  readonly keys?: string | undefined;
  readonly choices: readonly DialogChoice[];
  /** Chosen first. Default: 0. */
  readonly selected?: number | undefined;
  /** The meaning of the person's choice: the answer, or one more question before there is one. */
  answer(chosen: ChosenAnswer): ApproverAnswer | DialogQuestion | Promise<ApproverAnswer | DialogQuestion>;
}

export interface ApprovalParts {
  /** The change that the call would make, as a unified diff, when it is known before the call runs. */
  readonly diff: readonly string[] | undefined;
  /** Keeps rules beyond the session; absent where they cannot be kept. */
  readonly save?: ((updates: readonly PermissionUpdate[]) => Promise<unknown>) | undefined;
}

const BY = "the person at the terminal";
const EDITS: ReadonlySet<string> = new Set(["edit_file", "write_file", "create_dir"]);

/** An answer has the same number in every approval, whichever others there are: 4 never allows anything. */
export function approvalQuestion(request: PendingRequest, theme: Theme, { diff, save }: ApprovalParts): DialogQuestion {
  const { tool, suggestions, agentPath } = request;
  const rules = rulesIn(suggestions);
  const who = agentPath.length === 0 ? "" : ` (sub-agent ${agentPath.map(safeLine).join(" → ")})`;
  const listed = rules.map((rule) => safeLine(rule)).join(", ");
  const allow = (remember: readonly PermissionUpdate[] = []): ApproverAnswer => {
    return { decision: "allow", by: BY, ...(remember.length > 0 && { remember }) };
  };
  const options: { readonly choice: DialogChoice; answer(text: string): ApproverAnswer | Promise<ApproverAnswer> }[] = [
    { choice: { label: "Yes", number: 1 }, answer: () => allow() },
  ];
  if (rules.length > 0) {
    options.push({
      choice: { label: `Yes, and allow in this session: ${listed}`, number: 2 },
      answer: () => allow(suggestions),
    });
  }
  const sources = suggestions.flatMap((update) => (update.type === "trustSources" ? update.sources : []));
  if (sources.length > 0) {
    const speaking = sources.map((source) => safeLine(source)).join(", ");
    options.push({
      choice: { label: `Yes, and trust ${speaking} until your next prompt`, number: 2 },
      answer: () => allow(suggestions),
    });
  }
  if (rules.length > 0 && save) {
    options.push({
      choice: { label: `Yes, and always in this project: ${listed}`, number: 3 },
      answer: async () => {
        const lasting = suggestions.filter((update) => update.type !== "trustSources");
        await save(lasting.map((update) => ({ ...update, destination: "localSettings" as const })));
        return allow(suggestions);
      },
    });
  }
  options.push({
    choice: { label: "No, and say why", number: 4, asks: "What to do instead? May be empty." },
    answer: (text) => ({ decision: "deny", by: BY, reason: refusal(text) }),
  });
  if (EDITS.has(tool)) {
    options.push({
      choice: { label: "Yes, and stop asking about edits", number: 5, note: "mode acceptEdits" },
      answer: () => allow([{ type: "setMode", mode: "acceptEdits", destination: "session" }]),
    });
  }
  return {
    title: `${titleOf(tool)}${who}`,
    // What may be cut comes last.
    body: [
      theme.dim(safeLine(request.reason)),
      "",
      ...((diff ?? []).length > 0 ? [subjectLine(request.input), ...(diff ?? [])] : inputLines(request, theme)),
    ],
    choices: options.map(({ choice }) => choice),
    answer: ({ index, text }) => options[index]!.answer(text),
  };
}

/** The rules that an answer would add, word for word. */
export function rulesIn(updates: readonly PermissionUpdate[]): readonly string[] {
  return updates.flatMap((update) => (update.type === "addRules" ? update.rules : []));
}

function refusal(text: string): string {
  return text === "" ? "The user said no." : `The user said no: ${text}`;
}

function titleOf(tool: string): string {
  if (tool === "bash") return "Run this command?";
  if (tool === "edit_file") return "Make this edit?";
  if (tool === "write_file") return "Write this file?";
  return `Allow ${safeLine(tool)}?`;
}

function subjectLine(input: JsonValue): string {
  const { path } = fieldsOf(input);
  return typeof path === "string" ? exactText(path) : "";
}

function inputLines({ tool, input }: PendingRequest, theme: Theme): string[] {
  const { command, description, path, content, ...others } = fieldsOf(input);
  if (tool === "bash" && typeof command === "string") {
    const note = typeof description === "string" ? [theme.dim(safeLine(description))] : [];
    const rest = Object.entries(others).map(([name, value]) => theme.dim(`${safeLine(name)}: ${jsonLine(value)}`));
    return [
      ...exactText(command)
        .split("\n")
        .map((line) => theme.bold(line)),
      ...note,
      ...rest,
    ];
  }
  if (typeof path === "string" && typeof content === "string") {
    return [
      exactText(path),
      ...exactText(content)
        .split("\n")
        .map((line) => theme.green(`+ ${line}`)),
    ];
  }
  const all = Object.entries(fieldsOf(input));
  if (all.length === 0) return [theme.dim("without input")];
  return all.flatMap(([name, value]) => {
    const lines = typeof value === "string" ? exactText(value).split("\n") : [jsonLine(value)];
    return lines.map((line, index) => (index === 0 ? `${theme.dim(`${safeLine(name)}:`)} ${line}` : `  ${line}`));
  });
}

function jsonLine(value: JsonValue | undefined): string {
  return exactText(JSON.stringify(value) ?? "").replaceAll("\n", "\\n");
}
