// The editor's offers while one types: commands behind a slash at the beginning, files behind an @ anywhere.
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@earendil-works/pi-tui";
import { exactLine } from "../screen/safe-text.js";

/** A command as completion knows it. */
export interface CompletableCommand {
  readonly name: string;
  readonly summary: string;
  readonly argument?: string | undefined;
}

const MAX_ITEMS = 30;
/** An @ at the beginning of a word, and what follows it; in quotes when there is a space in it. */
const FILE = /(?:^|\s)(@(?:"[^"]*|[^\s"]*))$/;

export class Completion implements AutocompleteProvider {
  constructor(
    private readonly commands: readonly CompletableCommand[],
    private readonly files: (signal: AbortSignal) => Promise<readonly string[]>,
  ) {}

  async getSuggestions(
    lines: string[],
    line: number,
    column: number,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<AutocompleteSuggestions | null> {
    const prefix = typedBefore((lines[line] ?? "").slice(0, column), line);
    if (prefix === undefined) return null;
    if (prefix.startsWith("/")) return this.#commandsFor(prefix);
    const query = prefix.replace(/^@"?/, "");
    // A name with control characters in it cannot be written in a line.
    const all = (await this.files(signal)).filter((path) => !/\p{Cc}/u.test(path));
    if (signal.aborted) return null;
    const items = bestOf(all, query).map(
      (path): AutocompleteItem => ({ value: mention(path), label: exactLine(path) }),
    );
    return items.length > 0 ? { items, prefix } : null;
  }

  /**
   * Puts an item in place of what it completes. The editor may still show what it offered a key ago, so the text decides
   * what that is, and an item that no longer fits changes nothing.
   */
  applyCompletion(lines: string[], line: number, column: number, { value }: AutocompleteItem) {
    const text = lines[line] ?? "";
    const typed = typedBefore(text.slice(0, column), line);
    const fits = typed !== undefined && (typed.startsWith("@") || value.startsWith(typed.toLowerCase()));
    if (!fits) return { lines, cursorLine: line, cursorCol: column };
    const start = column - typed.length;
    const isDirectory = value.endsWith("/") || value.endsWith('/"');
    const inserted = isDirectory ? value.replace(/"$/, "") : `${value} `;
    const changed = [...lines];
    changed[line] = text.slice(0, start) + inserted + text.slice(column).replace(/^ /, "");
    return { lines: changed, cursorLine: line, cursorCol: start + inserted.length };
  }

  shouldTriggerFileCompletion(): boolean {
    return true;
  }

  #commandsFor(prefix: string): AutocompleteSuggestions | null {
    const matching = this.commands.filter(({ name }) => `/${name}`.startsWith(prefix.toLowerCase()));
    const items = matching.map(({ name, summary, argument }) => ({
      value: `/${name}`,
      label: argument ? `/${name} ${argument}` : `/${name}`,
      description: summary,
    }));
    return items.length > 0 ? { items, prefix } : null;
  }
}

/** The word that is being completed before the cursor: a command at the beginning, or a file. */
function typedBefore(text: string, line: number): string | undefined {
  return line === 0 && /^\/\S*$/.test(text) ? text : FILE.exec(text)?.[1];
}

function bestOf(paths: readonly string[], query: string): readonly string[] {
  if (query === "") return paths.slice(0, MAX_ITEMS);
  const below = paths.filter((path) => path.startsWith(query) && path !== query);
  if (query.endsWith("/")) return below.slice(0, MAX_ITEMS);
  const close = fuzzyFilter([...paths], query, (path) => path);
  return [...new Set([...below.slice(0, 5), ...close])].slice(0, MAX_ITEMS);
}

function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}
