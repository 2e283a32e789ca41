// Commands about what the agent stands on: this machine, the model, the servers, the project's trust.
import { findRipgrep } from "../../../tools/search/ripgrep.js";
import { exactLine, safeLine } from "../screen/safe-text.js";
import { DrawnBlock, indented } from "../transcript/block.js";
import { counted } from "../transcript/quantities.js";
import type { Command, CommandContext } from "./command.js";

/** The subject of a check, whether all is well, and the text about it. */
type Finding = readonly [what: string, isWell: boolean, says: string];

/** Below what a finding says. */
const BELOW = " ".repeat(15);

const doctorCommand: Command = {
  name: "doctor",
  summary: "look for what is missing or wrong",
  async run(context) {
    const { screen } = context;
    const { bold, dim, green, yellow } = screen.theme;
    const lines = (await findings(context)).map(([what, isWell, says]) => {
      const mark = isWell ? green("✔") : yellow("!");
      return `${mark} ${bold(what.padEnd(10))} ${isWell ? dim(says) : says}`;
    });
    screen.add(new DrawnBlock((width) => lines.flatMap((line) => indented(line, width, BELOW, "  "))));
  },
};

async function findings({ agent, conversation, options, screen }: CommandContext): Promise<readonly Finding[]> {
  const { provider, branch } = conversation;
  const { connections = [], problems = [], untrusted = [], workspace } = agent;
  const { contextWindow } = provider;
  const isPriced = [provider.prices, options.prices].some(
    (prices) =>
      (prices?.({ provider: provider.id, model: provider.model }, { inputTokens: 1, outputTokens: 1 }) ?? null) !==
      null,
  );
  const window = contextWindow ? counted(contextWindow, "token") : "a context window whose size is not known";
  const { ok, stdout } = await gitVersion(workspace);
  const isSearchFast = (await findRipgrep()) !== null;
  const { columns, rows, kittyProtocolActive } = screen.device;
  return [
    [
      "program",
      true,
      `loopwright ${options.version ?? ""} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    ],
    [
      "model",
      Boolean(contextWindow) && isPriced,
      `${safeLine(`${provider.id}/${provider.model}`)}, ${window}${isPriced ? "" : ", price not known: models.json can name both"}`,
    ],
    ["project", true, `${safeLine(workspace.root)}${branch === undefined ? "" : ` on ${safeLine(branch)}`}`],
    ["git", ok, ok ? safeLine(stdout) : "there is no git where the tools run"],
    ["ripgrep", isSearchFast, isSearchFast ? "found" : "not found: searches work and take longer"],
    ...connections.map(({ name, status, problems: why }): Finding => {
      const isWell = status === "connected" && why.length === 0;
      return ["server", isWell, [`${safeLine(name)} ${status}`, ...why.map(safeLine)].join("; ")];
    }),
    ...problems.map(({ source, message }): Finding => ["settings", false, `${safeLine(source)}: ${safeLine(message)}`]),
    [
      "trust",
      untrusted.length === 0,
      untrusted.length === 0 ? "nothing waits for it" : `${counted(untrusted.length, "part")} not in use: /trust`,
    ],
    ["terminal", true, `${columns} × ${rows}${kittyProtocolActive ? ", told every key apart" : ""}`],
  ];
}

async function gitVersion({ shell }: CommandContext["agent"]["workspace"]): Promise<{ ok: boolean; stdout: string }> {
  const pieces: Uint8Array[] = [];
  const onOutput = (piece: Uint8Array) => void pieces.push(piece.slice());
  try {
    const { exitCode } = await shell.run({ command: "git --version", timeoutMs: 5_000, onOutput });
    return { ok: exitCode === 0, stdout: Buffer.concat(pieces).toString("utf8").trim() };
  } catch {
    return { ok: false, stdout: "" };
  }
}

const trustCommand: Command = {
  name: "trust",
  summary: "what this project asks for, and whether it may have it",
  async run({ desk, options, say, screen }) {
    const { trust } = options;
    if (!trust) throw new Error("Nothing of this project is trusted or not trusted here.");
    const parts = await trust.asksFor();
    if (parts.length === 0) {
      say(screen.theme.dim("This project brings nothing that needs your trust."));
      return;
    }
    const now = await trust.read();
    const notes = [now === true, now !== true].map((isNow) => (isNow ? "as it is now" : undefined));
    const chosen = await desk.pick({
      title: "Do you trust this project?",
      body: [
        ...parts.map(({ part, what }) => `${part}: ${exactLine(what)}`),
        "",
        "They can run programs and tell the model what to do. What forbids something holds in any case.",
      ],
      choices: [
        { label: "Yes", note: notes[0] },
        { label: "No", note: notes[1] },
      ],
      selected: now === true ? 0 : 1,
    });
    if (!chosen) return;
    const isTrusted = chosen.index === 0;
    await trust.keep(isTrusted);
    say(`The project is ${isTrusted ? "trusted" : "not trusted"} from the next start on.`);
  },
};

export const healthCommands: readonly Command[] = [doctorCommand, trustCommand];
