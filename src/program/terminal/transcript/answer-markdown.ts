// Markdown as pi-tui draws it, but for lists: there the lines of an item are wrapped behind its bullet. Reaches into the
// class, whose version is fixed with the bundle; a test says when it no longer fits.
import { type Component, Markdown, wrapTextWithAnsi } from "@mariozechner/pi-tui";
import type { Theme } from "../screen/theme.js";

const MARGIN = 2;
const MIN_WIDTH = 10;

interface ListToken {
  readonly type: string;
  readonly ordered?: boolean;
  readonly start?: number | "";
  readonly items?: readonly { readonly tokens?: readonly ListToken[] }[];
}

/** What of the class is used from inside. */
interface MarkdownParts extends Component {
  renderToken(token: ListToken, width: number, next?: string, style?: unknown): string[];
  renderListItem(tokens: readonly ListToken[], depth: number, style?: unknown): string[];
}

const Base = Markdown as unknown as new (...options: ConstructorParameters<typeof Markdown>) => MarkdownParts;

export class AnswerMarkdown extends Base {
  readonly #theme: Theme;

  constructor(text: string, theme: Theme) {
    super(text, MARGIN, 0, theme.markdown);
    this.#theme = theme;
  }

  override renderToken(token: ListToken, width: number, next?: string, style?: unknown): string[] {
    return token.type === "list" ? this.#list(token, width, style) : super.renderToken(token, width, next, style);
  }

  #list({ ordered, start, items = [] }: ListToken, width: number, style: unknown): string[] {
    const last = (start || 1) + items.length - 1;
    return items.flatMap(({ tokens = [] }, index) => {
      const bullet = ordered ? `${(start || 1) + index}. `.padEnd(`${last}. `.length) : "- ";
      const room = Math.max(MIN_WIDTH, width - bullet.length);
      const lines = tokens.flatMap((token) =>
        token.type === "list" ? this.#list(token, room, style) : this.renderListItem([token], 0, style),
      );
      const wrapped = lines.flatMap((line) => wrapTextWithAnsi(line, room));
      const rest = " ".repeat(bullet.length);
      const head = this.#theme.markdown.listBullet(bullet);
      return wrapped.length === 0 ? [head] : wrapped.map((line, at) => (at === 0 ? head : rest) + line);
    });
  }
}
