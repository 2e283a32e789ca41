// Everything between the conversation and the line below the editor, and that line.
import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { type BackgroundTask, BackgroundWatch } from "../session/background-work.js";
import type { TerminalSession } from "../session/terminal-session.js";
import type { TerminalSettings } from "../settings/terminal-settings.js";
import { ActivityLine } from "./activity-line.js";
import { AgentTree } from "./agent-tree.js";
import { Footer, footerFacts } from "./footer.js";
import { PassingHint } from "./passing-hint.js";
import { type StatusFacts, StatusLine } from "./status-line.js";
import { TodoPanel } from "./todo-panel.js";

interface PanelSources {
  readonly settings: TerminalSettings;
  /** The present meaning of the keys, where that is not writing. */
  state(): string | undefined;
  statusFacts(): StatusFacts;
  /** The model until there is a conversation. */
  readonly provider: ProviderAdapter;
  conversation(): TerminalSession | undefined;
  background(): readonly BackgroundTask[];
  draw(): void;
}

export class Panels {
  readonly activity: ActivityLine;
  readonly todos: TodoPanel;
  readonly agents: AgentTree;
  readonly hint: PassingHint;
  readonly footer: Footer;
  /** From top to bottom. */
  readonly panels: readonly Component[];
  readonly #background: BackgroundWatch;
  readonly #status: StatusLine | undefined;
  readonly #draw: () => void;

  constructor(theme: Theme, sources: PanelSources) {
    const { provider, conversation, background, draw, settings, state, statusFacts } = sources;
    this.#draw = draw;
    this.activity = new ActivityLine(theme, draw);
    this.todos = new TodoPanel(theme);
    this.agents = new AgentTree(theme);
    this.hint = new PassingHint(draw);
    this.#background = new BackgroundWatch(background, draw);
    const queued = new QueuedPrompts(theme, () => conversation()?.queued ?? []);
    this.panels = [this.agents, this.todos, this.activity, queued];
    const { statusLine } = settings;
    this.#status = statusLine === undefined ? undefined : new StatusLine(statusLine, statusFacts, draw);
    const facts = () =>
      footerFacts(conversation(), {
        provider,
        hint: this.hint.text ?? state(),
        background: this.#background.running,
      });
    this.footer = new Footer(theme, facts, this.#status);
  }

  /** The session has changed. */
  changed(): void {
    this.#status?.update();
    this.#draw();
  }

  /** Nothing is drawn by itself any more. */
  stop(): void {
    this.#status?.end();
    this.activity.stop();
    this.hint.clear();
    this.#background.stop();
  }
}

/** The prompts that were typed while the agent works and that the model has not read yet. */
class QueuedPrompts implements Component {
  constructor(
    private readonly theme: Theme,
    private readonly queued: () => readonly string[],
  ) {}

  render(width: number): string[] {
    const { dim } = this.theme;
    const queued = this.queued();
    return queued.map((text, index) => {
      const note = index === queued.length - 1 ? "read at the next step · ↑ to edit" : "read at the next step";
      return dim(`${truncateToWidth(`  ❯ ${safeLine(text)}`, width - note.length - 3, "…")}  ${note}`);
    });
  }

  invalidate(): void {}
}
