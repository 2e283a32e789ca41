// What the editor offers while one types: commands behind a slash at the beginning, files behind an @ anywhere.
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@mariozechner/pi-tui";
import { safeLine } from "../screen/safe-text.js";

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
    const before = (lines[line] ?? "").slice(0, column);
    if (line === 0 && /^\/\S*$/.test(before)) return this.#commandsFor(before);
    const prefix = FILE.exec(before)?.[1];
    if (prefix === undefined) return null;
    const query = prefix.replace(/^@"?/, "");
    const all = await this.files(signal);
    if (signal.aborted) return null;
    const items = bestOf(all, query).map((path): AutocompleteItem => ({ value: mention(path), label: safeLine(path) }));
    return items.length > 0 ? { items, prefix } : null;
  }

  applyCompletion(lines: string[], line: number, column: number, { value }: AutocompleteItem, prefix: string) {
    const text = lines[line] ?? "";
    const start = column - prefix.length;
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
