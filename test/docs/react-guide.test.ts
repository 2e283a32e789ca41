// The page that the guide for React shows, with a hook and elements of ours, asks the routes of createChatRoutes.
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { createChatRoutes, createRunHub } from "../../src/http/index.js";
import { gate, newEngine, talking } from "../http/agents.js";
import { blocksOf, readPage } from "./pages.js";

interface Element {
  readonly name: unknown;
  readonly props: Readonly<Record<string, unknown>> | null;
  readonly children: readonly unknown[];
}

const PAGE = blocksOf(readPage("docs/guides/use-react.md")).find(({ language }) => language === "jsx")!;
const { code } = await transform(PAGE.code, { loader: "jsx", format: "cjs", jsxFactory: "h" });

function open(shown: readonly object[] = []) {
  const [asked, held] = [gate(), gate()];
  const provider = talking(1, () => {
    asked.open();
    return held.opened;
  });
  const hub = createRunHub({ engine: newEngine({ provider }) });
  const routes = createChatRoutes({ engine: hub, identify: () => ({ id: "ann" }), authorize: () => true });
  const answers: Promise<Response>[] = [];
  const fetch = (path: string, init?: RequestInit) => {
    const answer = routes.handle(new Request(`http://chat.test${path}`, init));
    answers.push(answer);
    return answer;
  };
  const page = { messages: shown, draft: "" };
  let onError: ((error: Error) => Promise<void>) | undefined;
  const stubs = {
    useState: (draft: string) => [draft, (text: string) => Object.assign(page, { draft: text })],
    useChat(options: { onError: typeof onError }) {
      onError = options.onError;
      const setMessages = (change: (messages: readonly object[]) => readonly object[]) => {
        page.messages = change(page.messages);
      };
      return { messages: [], setMessages, status: "streaming" };
    },
    DefaultChatTransport: class {},
  };
  const h = (name: unknown, props: Element["props"], ...children: unknown[]): Element => ({ name, props, children });
  const module = { exports: {} as { Chat(props: { id: string }): Element } };
  new Function("require", "module", "h", "fetch", code)(() => stubs, module, h, fetch);
  const root = module.exports.Chat({ id: "chat-1" });
  return { hub, page, answers, whenAsked: asked.opened, end: held.open, root, fail: (error: Error) => onError!(error) };
}

function findButton(within: unknown, label: string): Element | undefined {
  if (Array.isArray(within)) return within.map((each) => findButton(each, label)).find((found) => found);
  const { name, children } = Object(within) as Partial<Element>;
  return name === "button" && children!.includes(label) ? (within as Element) : findButton(children ?? [], label);
}

test("the button Stop of the page ends the run", async () => {
  const { hub, root, answers, whenAsked, end } = open();
  const run = hub.start("Hi.", { sessionId: "chat-1" });
  await whenAsked;

  const stop = findButton(root, "Stop")!.props!.onClick as () => Promise<Response>;
  const stopped = await stop();
  end();

  expect([answers.length, stopped.status, await stopped.json()]).toEqual([1, 200, { stopped: true }]);
  expect((await run.result).status).toBe("aborted");
});

test("the page of a chat that is gone shows an empty one, and has in the draft what was typed last", async () => {
  const { page, fail, answers } = open([{ role: "user", parts: [{ type: "text", text: "Are you there?" }] }]);

  await fail(new Error('{"error":{"code":"CHAT_DIFFERS"}}'));

  expect((await answers[0]!).status).toBe(404);
  expect(page).toEqual({ messages: [], draft: "Are you there?" });
});
