// Commands about what the model is sent, and what that costs.
import { truncateToWidth } from "@earendil-works/pi-tui";
import type { ContextUsage } from "../../../contracts/context.js";
import { readBudget } from "../../sessions/session-budget.js";
import { DrawnBlock } from "../transcript/block.js";
import { counted, inDollars, inThousands } from "../transcript/quantities.js";
import type { Command } from "./command.js";

const CATEGORIES: readonly (readonly [key: keyof ContextUsage, name: string])[] = [
  ["system", "System prompt"],
  ["tools", "Tools"],
  ["skills", "Skills"],
  ["memory", "Memory"],
  ["messages", "Messages"],
  ["toolResults", "Tool results"],
  ["reserved", "Kept for the reply"],
  ["free", "Free"],
];
const NAME_WIDTH = 20;
const MAX_BAR = 40;

const contextCommand: Command = {
  name: "context",
  summary: "what fills the context window",
  async run({ agent, conversation, screen }) {
    const usage = await agent.engine.contextUsage(conversation.sessionId).catch((error: unknown) => {
      throw new Error(isUnknownSession(error) ? "The session is empty: nothing was sent yet." : messageOf(error));
    });
    const { bold, cyan, dim } = screen.theme;
    const whole = usage.contextWindow ?? usage.used;
    const window =
      usage.contextWindow === null ? "the window's size is not known" : `of ${inThousands(usage.contextWindow)}`;
    screen.add(
      new DrawnBlock((width) => {
        const room = Math.max(5, Math.min(MAX_BAR, width - NAME_WIDTH - 20));
        const lines = CATEGORIES.flatMap(([key, name]) => {
          const tokens = usage[key];
          if (tokens === null || (tokens === 0 && key !== "free")) return [];
          // The room kept free is a share of the window, not of the tokens used.
          if (key === "reserved" && usage.contextWindow === null) return [];
          const share = tokens / Math.max(1, whole);
          const bar = "█".repeat(Math.min(room, Math.max(tokens > 0 ? 1 : 0, Math.round(share * room))));
          const paint = key === "free" || key === "reserved" ? dim : cyan;
          const amount = `${inThousands(tokens).padStart(6)} ${`${Math.round(share * 100)}%`.padStart(4)}`;
          return [truncateToWidth(`  ${name.padEnd(NAME_WIDTH)}${amount}  ${paint(bar)}`, width, "…")];
        });
        return [`  ${bold("Context")} ${dim(`${inThousands(usage.used)} tokens ${window}`)}`, ...lines];
      }),
    );
  },
};

const compactCommand: Command = {
  name: "compact",
  argument: "[what to keep]",
  summary: "make the context smaller",
  needsIdle: true,
  async run({ agent, conversation, say, screen }, focus) {
    const { dim } = screen.theme;
    say(dim("Compacting…"));
    const reports = await agent.engine
      .compact(conversation.sessionId, focus === "" ? undefined : focus)
      .catch((error: unknown) => {
        throw new Error(
          isUnknownSession(error) ? "The session is empty: there is nothing to compact." : messageOf(error),
        );
      });
    await conversation.measure();
    const last = reports.at(-1);
    if (!last) {
      say(dim("There was nothing to make smaller."));
      return;
    }
    const before = inThousands(reports[0]!.beforeTokens);
    const stages = [...new Set(reports.map(({ stage }) => stage))].join(", ");
    say(`From about ${before} to ${inThousands(last.afterTokens)} tokens ${dim(`(${stages})`)}`);
  },
};

const costCommand: Command = {
  name: "cost",
  summary: "tokens and dollars of this session",
  run({ agent, conversation, say, screen }) {
    const { bold, dim } = screen.theme;
    const { inputTokens, outputTokens, costUsd, runs } = conversation.spent;
    const lines = [
      `${bold(inDollars(costUsd))} ${dim(`in ${counted(runs, "run")} of this session`)}`,
      `${inThousands(inputTokens)} tokens in, ${inThousands(outputTokens)} out`,
    ];
    const children = agent.engine.subagents(conversation.sessionId);
    if (children.length > 0) {
      lines.push("", bold("Sub-agents, included above"));
      for (const { name, usage, costUsd: cost, status } of children) {
        lines.push(
          `${name} ${dim(`${inThousands(usage.inputTokens)} in, ${inThousands(usage.outputTokens)} out · ${inDollars(cost)} · ${status}`)}`,
        );
      }
    }
    say(lines.join("\n"));
  },
};

const budgetCommand: Command = {
  name: "budget",
  argument: "[2.50 | 200k | off]",
  summary: "what this session may use in all: dollars, or tokens",
  run({ conversation, say, screen }, given) {
    if (given !== "") conversation.budget = given === "off" ? {} : readBudget(given);
    const { maxCostUsd, maxTokens } = conversation.budget;
    const { costUsd, inputTokens, outputTokens } = conversation.spent;
    const { bold, dim } = screen.theme;
    if (maxTokens !== undefined)
      say(`${bold(inThousands(inputTokens + outputTokens))} ${dim(`of ${inThousands(maxTokens)} tokens used`)}`);
    else if (maxCostUsd !== undefined) say(`${bold(inDollars(costUsd))} ${dim(`of ${inDollars(maxCostUsd)} used`)}`);
    else say(dim("This session has no budget. Set one: /budget 2.50, or /budget 200k for tokens."));
  },
};

export const contextCommands: readonly Command[] = [compactCommand, contextCommand, costCommand, budgetCommand];

function isUnknownSession(error: unknown): boolean {
  return Object(error).code === "SESSION_NOT_FOUND";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
