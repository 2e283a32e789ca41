// Everything between the conversation and the line below the editor, and that line.
import type { Component } from "@earendil-works/pi-tui";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import type { Theme } from "../screen/theme.js";
import { type BackgroundTask, BackgroundWatch } from "../session/background-work.js";
import type { TerminalSession } from "../session/terminal-session.js";
import { ActivityLine } from "./activity-line.js";
import { AgentTree } from "./agent-tree.js";
import { Footer, footerFacts } from "./footer.js";
import { PassingHint } from "./passing-hint.js";
import { QueuedPrompts } from "./queued-prompts.js";
import { TodoPanel } from "./todo-panel.js";

export interface PanelSources {
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

  constructor(theme: Theme, { provider, conversation, background, draw }: PanelSources) {
    this.activity = new ActivityLine(theme, draw);
    this.todos = new TodoPanel(theme);
    this.agents = new AgentTree(theme);
    this.hint = new PassingHint(draw);
    this.#background = new BackgroundWatch(background, draw);
    const queued = new QueuedPrompts(theme, () => conversation()?.queued ?? []);
    this.panels = [this.agents, this.todos, this.activity, queued];
    this.footer = new Footer(theme, () =>
      footerFacts(conversation(), { provider, hint: this.hint.text, background: this.#background.running }),
    );
  }

  /** Nothing is drawn by itself any more. */
  stop(): void {
    this.activity.stop();
    this.hint.clear();
    this.#background.stop();
  }
}
