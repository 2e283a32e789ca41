import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { integer, object, optional, string } from "../../schema/fields.js";
import { nearestNames } from "../../text/nearest-names.js";
import { followSignal } from "../../time/follow-signal.js";
import type { Mailbox } from "./mailbox.js";
import type { MemberMail } from "./member-mail.js";

const MAX_MESSAGE_CHARS = 20_000;
const MAX_WAIT_MS = 60_000;
const EVERYBODY = "*";

/** A member's own tools `message_send` and `message_read`. What comes for it also reaches its model before each step. */
export function createMessageTools(mail: MemberMail, mailbox: Mailbox, teammates: readonly string[]): BaseTool[] {
  // The member's sub-agents do not have them: they are not members.
  const shared = { permission: "none", spawns: { maxDepth: 1 }, claims: () => [] } as const;
  return [
    defineTool({
      name: "message_send",
      description: `Sends a message to a member of your team, who reads it before its next step or with its next task. Use it for what others need to know now; task results are passed on automatically. Your team: ${teammates.join(", ")}.`,
      input: object(
        {
          to: string('The name of a member; "*" for all of them.', { minLength: 1 }),
          message: string(undefined, { trim: true, minLength: 1, maxLength: MAX_MESSAGE_CHARS }),
        },
        { strict: true },
      ),
      describe: ({ to = "the team" }) => ({ title: `Send a message to ${to}`, kind: "think" }),
      ...shared,
      onUnknown: "fail",
      async execute({ to, message: text }) {
        const readers = to === EVERYBODY ? teammates : [nameOf(to, teammates)];
        const sentAt = Date.now();
        for (const name of readers) await mailbox.send({ from: mail.name, to: name, text, sentAt });
        return `Sent to ${readers.join(", ")}. Do not wait for a reply unless you cannot go on without it.`;
      },
      reminder: ({ sessionId, transcriptId }) => (sessionId === transcriptId ? mail.read() : null),
    }),
    defineTool({
      name: "message_read",
      description:
        "Shows new messages from your team, and can wait for one. Messages reach you before each step anyway; use this only when you cannot continue without a reply.",
      input: object(
        { wait_ms: optional(integer("How long to wait for a message.", { minimum: 0, maximum: MAX_WAIT_MS })) },
        { strict: true },
      ),
      describe: () => ({ title: "Read messages of the team", kind: "think" }),
      ...shared,
      timeoutMs: null,
      async execute({ wait_ms = 0 }, { signal }) {
        await mail.look();
        if (mail.isEmpty && wait_ms > 0) await someMail(mail, wait_ms, signal);
        return mail.read() ?? "There are no messages.";
      },
    }),
  ];
}

/** @throws ToolError `SUBAGENT_UNKNOWN` */
function nameOf(to: string, teammates: readonly string[]): string {
  if (teammates.includes(to)) return to;
  const [nearest] = nearestNames(to, teammates, 1);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new ToolError("SUBAGENT_UNKNOWN", {
    message: `There is no ${JSON.stringify(to.slice(0, 80))} in your team.${hint} Your team: ${teammates.join(", ")}.`,
  });
}

/** Resolves when there is something to read, after `ms`, or when the call is aborted. */
function someMail(mail: MemberMail, ms: number, signal: AbortSignal): Promise<void> {
  let end = () => {};
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const forget = mail.onMail(resolve);
    const unfollow = followSignal(signal, resolve);
    end = () => {
      clearTimeout(timer);
      forget();
      unfollow();
    };
  }).finally(() => end());
}
