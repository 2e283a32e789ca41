import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { PermissionMode } from "../../../contracts/permission.js";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import type { TerminalSession } from "../session/terminal-session.js";
import { inDollars } from "../transcript/quantities.js";

/** The content of the footer, read again for each frame. */
export interface FooterFacts {
  readonly model: string;
  readonly mode: PermissionMode;
  /** Used part of the context window, 0 to 1; `null` when it is not known. */
  readonly contextShare: number | null;
  /** In US dollars; `null` when the price is not known, `undefined` before anything was spent. */
  readonly costUsd: number | null | undefined;
  /** The branch of the repository; `undefined` outside one. */
  readonly branch: string | undefined;
  /** The number of commands and sub-agents that run in the background. */
  readonly background: number;
  /** In place of the rest: a word on a key that was just pressed. */
  readonly hint: string | undefined;
}

/** The present facts of a conversation; before there is one, of its model. */
export function footerFacts(
  conversation: TerminalSession | undefined,
  start: { readonly provider: ProviderAdapter; readonly hint: string | undefined; readonly background: number },
): FooterFacts {
  const { id, model } = conversation?.provider ?? start.provider;
  const spent = conversation?.spent;
  return {
    model: id === model ? model : `${id}/${model}`,
    mode: conversation?.mode ?? "default",
    contextShare: conversation?.contextShare ?? null,
    costUsd: spent && spent.inputTokens > 0 ? spent.costUsd : undefined,
    branch: conversation?.branch,
    background: start.background,
    hint: start.hint,
  };
}

const MODE_NAMES: Readonly<Record<PermissionMode, string>> = {
  default: "asks before changes",
  acceptEdits: "edits without asking",
  plan: "plan mode",
  dontAsk: "never asks, denies instead",
  bypassPermissions: "asks nothing",
};

/** The name of a mode, for a person. */
export function modeName(mode: PermissionMode): string {
  return MODE_NAMES[mode];
}

/** One line: the mode and how to switch it, the model, how full the context is, what it has cost. */
export class Footer implements Component {
  constructor(
    private readonly theme: Theme,
    private readonly facts: () => FooterFacts,
    /** The user's own status line, above it. */
    private readonly own?: Component | undefined,
  ) {}

  render(width: number): string[] {
    return [...(this.own?.render(width) ?? []), ...this.#line(this.facts(), width)];
  }

  #line(facts: FooterFacts, width: number): string[] {
    const { model, mode, contextShare, costUsd, branch, background, hint } = facts;
    const { dim, yellow } = this.theme;
    const right = [safeLine(model)];
    if (branch !== undefined) right.unshift(safeLine(branch));
    if (contextShare !== null) right.push(`${Math.round(contextShare * 100)}% context`);
    if (typeof costUsd === "number") right.push(inDollars(costUsd));
    const rightText = dim(right.join(" · "));
    const beside = background > 0 ? ` · ${yellow(`${background} in background`)}` : "";
    const leftText = hint ? yellow(hint) : this.#mode(mode) + beside;
    const gap = width - 4 - visibleWidth(leftText) - visibleWidth(rightText);
    // A narrow window leaves the branch out before the rest.
    if (gap < 2 && branch !== undefined) return this.#line({ ...facts, branch: undefined }, width);
    if (gap < 2) return [`  ${truncateToWidth(leftText, width - 4, "…")}`];
    return [`  ${leftText}${" ".repeat(gap)}${rightText}`];
  }

  invalidate(): void {}

  #mode(mode: PermissionMode): string {
    const { dim, yellow, cyan, red } = this.theme;
    const keys = dim(" · shift+tab");
    if (mode === "plan") return cyan(modeName(mode)) + keys;
    if (mode === "acceptEdits") return yellow(modeName(mode)) + keys;
    if (mode === "bypassPermissions") return red(modeName(mode)) + keys;
    return dim(modeName(mode)) + keys;
  }
}
