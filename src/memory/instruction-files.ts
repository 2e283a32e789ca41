import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ContextSource } from "../contracts/context.js";
import type { ProjectFiles } from "../files/project-files.js";
import { diskFiles, PROJECT_FILES, type ProjectFileError } from "../files/project-files.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  listOf,
  numberFrom,
  type OptionTable,
  required,
  STRING,
} from "../json/check-options.js";
import { homeDirectories } from "../paths/home-directories.js";
import { isPrivateKeyFile } from "../paths/private-key.js";
import { askedReason, createSecretTest, gitsOwnReason } from "../paths/sensitive-paths.js";
import { byName } from "../text/by-name.js";
import { listedName, quoteName } from "../text/quote-name.js";
import { type CursorRule, cursorRulesIn } from "./cursor-rules.js";
import { importsIn, looksLikePath } from "./instruction-imports.js";

/** Options of `instructionFiles()`. */
export interface InstructionFilesOptions {
  /** The project. Nothing outside of it is read, also not through links or imports. */
  readonly root: string;
  /** The place of the project, such as `projectFiles(workspace)`. Default: on this machine's disk. */
  readonly files?: ProjectFiles | undefined;
  /** The agent's directory: one below `root`, whose instructions win. Default: `root`. */
  readonly directory?: string | undefined;
  /** Names looked for in each directory, in this order. Default: `AGENTS.md`, `CLAUDE.md`. */
  readonly names?: readonly string[] | undefined;
  /**
   * Also instructions that are written for other agents: Cursor's rules (`.cursor/rules`, `.cursorrules`), `GEMINI.md` and
   * `.github/copilot-instructions.md` of `root`. Default: `false`.
   */
  readonly otherAgents?: boolean | undefined;
  /** The section's heading. Default: `Instructions of this project`. */
  readonly title?: string | undefined;
  /** All files and imports together. Unit: bytes. Default: 100,000. */
  readonly maxBytes?: number | undefined;
}

const TITLE = "Instructions of this project";
const OPTIONS = {
  root: required(STRING),
  files: byDefault(diskFiles, PROJECT_FILES),
  directory: STRING,
  names: byDefault(["AGENTS.md", "CLAUDE.md"], listOf(STRING, "file names")),
  otherAgents: byDefault(false, FLAG),
  title: byDefault(TITLE, STRING),
  maxBytes: byDefault(100_000, numberFrom(1, "bytes")),
} satisfies OptionTable<InstructionFilesOptions>;

/** Files that import files that import files. */
const MAX_DEPTH = 5;
/** Directories looked through for instructions further down, and how many of those are named. */
const MAX_DIRECTORIES = 2_000;
const MAX_NESTED = 40;
const MAX_REMARKS = 20;
/** The files of other agents, beside Cursor's rules. */
const OF_OTHERS = [".cursorrules", "GEMINI.md", ".github/copilot-instructions.md"];
const SKIPPED = new Set(["node_modules", "dist", "build", "target", "vendor", "coverage", "__pycache__"]);

/**
 * Instruction files of a project (`AGENTS.md`, `CLAUDE.md`) as a section of the system prompt.
 *
 * Files of `root` come first and those nearest to `directory` last, since the nearest counts where they disagree. `@path`
 * imports another file from inside the root, to a depth of five; circles, missing targets, what lies outside and what usually holds
 * secrets are named in the text and not read. Instructions further down are listed by path, to be read when work goes there. A changed file changes the
 * section, and so begins an epoch.
 */
export function instructionFiles(options: InstructionFilesOptions): ContextSource {
  const { names, maxBytes, files, otherAgents, title, ...settings } = checkOptions(
    "instructionFiles()",
    options,
    OPTIONS,
  );
  return {
    id: "instructions",
    async load({ signal }) {
      const root = await files.realPath(settings.root);
      const directory =
        settings.directory === undefined ? root : await files.realPath(resolve(root, settings.directory));
      const reader = new InstructionReader(files, root, maxBytes);
      const rules = otherAgents ? await cursorRulesIn(files, root) : [];
      // Files that are written for this agent, too, come later and count where they disagree.
      const always = rules.filter(({ when }) => when === null).map(({ path }) => path);
      for (const path of otherAgents ? [...OF_OTHERS.map((name) => join(root, name)), ...always] : [])
        await reader.add(path);
      for (const place of placesBetween(root, directory)) {
        for (const name of names) await reader.add(join(place, name));
        signal.throwIfAborted();
      }
      const nested = await nestedFiles(files, directory, names, signal);
      const all = [...rules.filter(({ when }) => when !== null), ...nested.map((path) => ({ path, when: null }))];
      const below = files.mayFollow ? await followable(files, all) : all;
      const text = reader.text(
        title,
        below.map((each) => ({ ...each, path: relative(root, each.path) })),
      );
      return text === "" ? null : { id: "instructions", text };
    },
  };
}

/** From the root down to the directory; the root alone when the directory is elsewhere. */
function placesBetween(root: string, directory: string): string[] {
  const places = [root];
  if (!isBelow(root, directory)) return places;
  for (const name of relative(root, directory).split(sep).filter(Boolean)) places.push(join(places.at(-1)!, name));
  return places;
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

/** Reads files and their imports, each once, until the bytes are used up. */
class InstructionReader {
  readonly #seen = new Set<string>();
  readonly #sections: string[] = [];
  readonly #remarks: string[] = [];
  readonly #secretReason: ReturnType<typeof createSecretTest>;
  readonly #home = homeDirectories()[0] ?? "";
  #left: number;

  constructor(
    readonly files: ProjectFiles,
    readonly root: string,
    maxBytes: number,
  ) {
    this.#left = maxBytes;
    // An `.npmrc` of the project may hold a token, too, and nobody needs it in a prompt.
    this.#secretReason = createSecretTest([...homeDirectories(), root]);
  }

  /** Adds a file, unless it is missing, lies outside (also behind a link) or was added before. */
  async add(path: string, importedBy: string | null = null, depth = 0): Promise<void> {
    const shown = relative(this.root, path);
    const real = await this.files.realPath(path).catch(() => null);
    if (real === null) {
      if (importedBy !== null && looksLikePath(shown))
        this.#remarks.push(`${quoteName(shown)}, imported by ${quoteName(importedBy)}, does not exist.`);
      return;
    }
    if (!isBelow(this.root, real)) {
      this.#remarks.push(`${quoteName(shown)} is outside the project and was not read.`);
      return;
    }
    const secret = this.#secretIn(path) ?? this.#secretIn(real);
    if (secret !== null) {
      this.#remarks.push(`${quoteName(shown)} was not read: ${secret}.`);
      return;
    }
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    const text = await this.#read(real, shown);
    if (text === null) return;
    const by = importedBy === null ? "" : ` (imported by ${listedName(importedBy)})`;
    const title = `## ${listedName(shown)}${by}`;
    this.#sections.push(`${title}\n\n${text.trim()}`);
    const imports = importsIn(text);
    if (imports.length > 0 && depth >= MAX_DEPTH) {
      this.#remarks.push(
        `The imports of ${quoteName(shown)} were not followed: more than ${MAX_DEPTH} files import each other.`,
      );
      return;
    }
    for (const target of imports) {
      const to = resolve(dirname(path), target.startsWith("~/") ? `${this.#home}${target.slice(1)}` : target);
      if (isBelow(this.root, to)) await this.add(to, shown, depth + 1);
      else if (looksLikePath(target))
        this.#remarks.push(
          `${quoteName(target)}, imported by ${quoteName(shown)}, is outside the project and was not read.`,
        );
    }
  }

  /** The reason to leave a file out of a prompt, whatever a project's file says. */
  #secretIn(path: string): string | null {
    return (
      this.#secretReason(path) ??
      askedReason(path, this.root, "read") ??
      (isPrivateKeyFile(path, false) ? "it is a private key" : null) ??
      (gitsOwnReason(relative(this.root, path)) ? "it may hold tokens or passwords" : null)
    );
  }

  async #read(real: string, shown: string): Promise<string | null> {
    try {
      const { bytes, size } = await this.files.read(real, this.#left);
      this.#left -= bytes.length;
      const whole = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
      const text = real.endsWith(".mdc") ? whole.replace(/^---\n[\s\S]*?\n---\n/, "") : whole;
      if (text.includes("\0")) {
        this.#remarks.push(`${quoteName(shown)} is not text.`);
        return null;
      }
      if (bytes.length >= size) return text;
      this.#remarks.push(
        `${quoteName(shown)} was cut: the instructions are longer than is allowed. Read the file for the rest.`,
      );
      return bytes.length === 0 ? null : text.replace(/\uFFFD$/, "");
    } catch (error) {
      const { trouble, message } = error as ProjectFileError;
      if (trouble === "untrusted") this.#remarks.push(`${quoteName(shown)} is left out: ${message}.`);
      else if (trouble !== "not a file") this.#remarks.push(`${quoteName(shown)} could not be read.`);
      return null;
    }
  }

  text(title: string, nested: readonly CursorRule[]): string {
    if (this.#sections.length === 0 && nested.length === 0 && this.#remarks.length === 0) return "";
    const head = `# ${title}\n\nWhere files disagree, the one nearest to the file you are working on counts.`;
    const below =
      nested.length === 0
        ? []
        : [
            `## More instructions\n\nRead these before you change files in their directories:\n${nested.map(({ path, when }) => `- ${listedName(path)}${when === null ? "" : `, for: ${when}`}`).join("\n")}`,
          ];
    const more = this.#remarks.length - MAX_REMARKS;
    const said = [...this.#remarks.slice(0, MAX_REMARKS), ...(more > 0 ? [`and ${more} more like these`] : [])];
    const remarks = said.length === 0 ? [] : [`## Remarks\n\n${said.map((line) => `- ${line}`).join("\n")}`];
    return [head, ...this.#sections, ...below, ...remarks].join("\n\n");
  }
}

/** Those that the model may be told to follow. */
async function followable(files: ProjectFiles, rules: readonly CursorRule[]): Promise<CursorRule[]> {
  const fine = rules.map(async ({ path }) => {
    const real = await files.realPath(path).catch(() => null);
    return real === null || (await files.mayFollow!(real));
  });
  const areFine = await Promise.all(fine);
  return rules.filter((_, at) => areFine[at]);
}

/** Instruction files below the directory, breadth first and bounded. Links are not followed. */
async function nestedFiles(
  files: ProjectFiles,
  directory: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const waiting = [directory];
  for (let seen = 0; waiting.length > 0 && seen < MAX_DIRECTORIES && found.length < MAX_NESTED; seen++) {
    signal.throwIfAborted();
    const place = waiting.shift()!;
    for (const { name, kind } of [...(await files.list(place))].sort(byName)) {
      if (kind === "directory" && !name.startsWith(".") && !SKIPPED.has(name)) waiting.push(join(place, name));
      else if (kind === "file" && place !== directory && names.includes(name)) found.push(join(place, name));
    }
  }
  return found.slice(0, MAX_NESTED);
}
