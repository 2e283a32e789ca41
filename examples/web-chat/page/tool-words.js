// What of a tool call is worth a line: a verb, its subject, and a word on the outcome.
import { diffCounts, diffLines, plannedLines } from "./diff.js";

const VERBS = {
  read_file: "Read",
  write_file: "Write",
  edit_file: "Edit",
  bash: "Run",
  bash_output: "Read output of",
  bash_kill: "Stop",
  glob: "Find",
  grep: "Search",
  list_dir: "List",
  create_dir: "Create",
  todo_write: "Plan",
  ask_user: "Ask",
  task: "Sub-agent",
  web_fetch: "Fetch",
  web_search: "Search the web",
};

export function verbOf(name, input) {
  const kind = name === "task" ? input?.subagent_type : undefined;
  return typeof kind === "string" ? kind : (VERBS[name] ?? name);
}

/** The argument that says most. */
export function subjectOf({ name, input, inputText }) {
  if (input === undefined) return partialSubject(inputText);
  if (typeof input !== "object" || input === null) return "";
  const { command, pattern, path, description, prompt, question, url, query, todos } = input;
  if (Array.isArray(todos))
    return `${todos.filter(({ status }) => status === "completed").length} of ${todos.length} done`;
  if (name === "task") return String(description || prompt || "");
  const all = [command, pattern && path ? `${pattern} in ${path}` : pattern, path, question, url, query];
  const subject = all.find((one) => typeof one === "string");
  if (subject !== undefined) return subject;
  const text = JSON.stringify(input);
  return text === "{}" ? "" : text;
}

/** While the arguments still arrive. */
function partialSubject(json) {
  const match = /"(?:command|pattern|path|description|question|url|query)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(json);
  return match ? match[1].replaceAll("\\n", " ").replaceAll('\\"', '"').replaceAll("\\\\", "\\") : "";
}

/** Whether the call changes nothing, and so needs no more than a line. */
export const isQuiet = ({ name }) =>
  ["read_file", "glob", "grep", "list_dir", "todo_write", "bash_output"].includes(name);

/** The lines of a diff: as it was done, or as it is planned. */
export function changesOf({ name, input, result }) {
  const done = result?.details?.diff;
  if (typeof done === "string") return diffLines(done);
  if (result?.isError || typeof input !== "object" || input === null) return null;
  if (name === "write_file" && typeof input.content === "string")
    return plannedLines([{ before: "", after: input.content }]);
  if (name !== "edit_file") return null;
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const known = edits.filter((edit) => typeof edit?.old_text === "string" && typeof edit.new_text === "string");
  return known.length === 0
    ? null
    : plannedLines(known.map((edit) => ({ before: edit.old_text, after: edit.new_text })));
}

/** How it ended, in a word or two. */
export function outcomeOf(block) {
  const { result, state, answer } = block;
  if (state === "void") return "cut off";
  if (state === "writing") return "";
  if (state === "asking") return "waits for you";
  if (!result) return "";
  const { exitCode, code } = result.details ?? {};
  if (result.status === "denied") return answer?.reason ? `denied: ${answer.reason}` : "denied";
  if (result.status !== "success")
    return typeof code === "string" && result.status === "failure" ? failure(code) : result.status;
  if (typeof exitCode === "number") return exitCode === 0 ? "" : `exit code ${exitCode}`;
  const changes = typeof result.details?.diff === "string" ? diffCounts(diffLines(result.details.diff)) : null;
  if (changes) return `+${changes.added} −${changes.removed}`;
  if (["read_file", "grep", "glob", "list_dir"].includes(block.name)) return count(outputOf(result));
  return "";
}

const failure = (code) => code.toLowerCase().replaceAll("_", " ");

function count(text) {
  const lines = text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
  return lines === 1 ? "1 line" : `${lines} lines`;
}

export function outputOf({ output }) {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
