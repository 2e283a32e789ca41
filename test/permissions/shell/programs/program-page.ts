// The reference page of programs, made from their rows. To write it anew: npx tsx test/permissions/shell/programs/write-program-page.ts
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GIT_READERS } from "../../../../src/permissions/shell/programs/git/readers.js";
import { GIT_WRITERS } from "../../../../src/permissions/shell/programs/git/writers.js";
import { HARMLESS_WRAPPERS } from "../../../../src/permissions/shell/programs/machine/wrappers.js";
import type { Extent, ProgramRow } from "../../../../src/permissions/shell/programs/program-row.js";
import { FAMILIES } from "../../../../src/permissions/shell/programs/table.js";

/** Where the page is. */
export const PROGRAM_PAGE = fileURLToPath(new URL("../../../../docs/reference/programs.md", import.meta.url));
const START = "<!-- generated from src/permissions/shell/programs -->";

const EXTENTS: Readonly<Record<Extent, string>> = {
  nothing: "–",
  named: "what its words say",
  project: "as the project says",
  anything: "anything",
};

/** The page with its tables as the rows are now; what stands before them is kept. */
export function programPage(): string {
  const [before] = readFileSync(PROGRAM_PAGE, "utf8").split(START);
  const tables = Object.entries(FAMILIES).map(([family, rows]) => [`## ${family}`, tableOf(rows)].join("\n\n"));
  const wrappers = Object.keys(HARMLESS_WRAPPERS).map(code).join(", ");
  return `${[
    `${before!.trimEnd()}\n\n${START}`,
    ...tables,
    `## Wrappers that rules see through\n\n${wrappers}`,
    `## Commands of git\n\nThat read: ${commandsOf(GIT_READERS)}.\n\nThat also change something: ${commandsOf(GIT_WRITERS)}.`,
  ].join("\n\n")}\n`;
}

function tableOf(rows: Readonly<Record<string, ProgramRow>>): string {
  // Programs of which the same is said share a line.
  const programs = new Map<string, string[]>();
  for (const [name, row] of Object.entries(rows)) {
    const cells = [reads(row), ...reach(row), options(row), row.manual].join(" | ");
    programs.set(cells, [...(programs.get(cells) ?? []), code(name)]);
  }
  const lines = [...programs].map(([cells, names]) => `| ${names.join(", ")} | ${cells} |`);
  return [
    "| program | only reads | writes | runs | connects | unknown options | read in |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function reads({ kind, commands = {}, informs }: ProgramRow): string {
  if (kind === "reads") return "yes";
  const reading = Object.entries(commands).flatMap(([names, command]) =>
    command.kind === "reads" ? names.split(/\|\s*/) : [],
  );
  const all = [...(informs?.split(/\s+/).slice(0, 1) ?? []), ...reading];
  return all.length === 0 ? "no" : all.map(code).join(", ");
}

function reach({ does, writes, runs, hazards, hazardValues }: ProgramRow): readonly string[] {
  if (does) return [EXTENTS[does.writes], EXTENTS[does.runs], EXTENTS[does.connects]];
  return [writes ? "by an option" : "–", runs || hazards || hazardValues ? "by an option" : "–", "–"];
}

function options({ anyOptions }: ProgramRow): string {
  return anyOptions ? "go with a rule" : "ask";
}

function commandsOf(rows: Readonly<Record<string, unknown>>): string {
  return Object.keys(rows).sort().map(code).join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}
