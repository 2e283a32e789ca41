import { expect, test, vi } from "vitest";
import { answerRequests } from "../../../src/mcp/client/host-requests.js";
import { OpenCalls } from "../../../src/mcp/client/open-calls.js";
import { startClock } from "../../../src/mcp/client/pausable-timeout.js";
import { RefreshTimer } from "../../../src/mcp/client/refresh-timer.js";
import { sendAfterPages } from "../../../src/mcp/client/required-pages.js";
import { answerBySuspending } from "../../../src/mcp/client/suspended-question.js";
import { Toolbox } from "../../../src/mcp/client/toolbox.js";
import type { McpElicitation } from "../../../src/mcp/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";

const FORM = { type: "object", properties: { name: { type: "string" } } };

function asked(message: string, more: Partial<McpElicitation> = {}): McpElicitation {
  const { signal } = new AbortController();
  return { server: "s", message, mode: "form", requestedSchema: FORM, signal, ...more };
}

/** A call as a suspended run makes it again, with the answer to what was asked last. */
function answering(state?: unknown, value?: unknown) {
  const resumed = state === undefined ? undefined : { state, answer: { id: "q", value } };
  const context = fakeToolContext({ resumed, deliver: () => {} } as never);
  const call = { context, pause: () => () => {}, leave: () => {} };
  return { call, stateOf: () => context.suspensions.at(-1)?.state, context };
}

test("of several questions of one form each gets the answer that was given to it, in any order", () => {
  const first = answering();
  expect(answerBySuspending(asked("First name?"), first.call)).toEqual({ action: "cancel" });
  const second = answering(first.stateOf(), { name: "Ada" });
  expect(answerBySuspending(asked("First name?"), second.call)).toMatchObject({ content: { name: "Ada" } });
  expect(answerBySuspending(asked("Last name?"), second.call)).toEqual({ action: "cancel" });
  const third = answering(second.stateOf(), "Lovelace");

  expect(answerBySuspending(asked("Last name?"), third.call)).toMatchObject({ content: { name: "Lovelace" } });
  expect(answerBySuspending(asked("First name?"), third.call)).toMatchObject({ content: { name: "Ada" } });
  expect(third.context.suspensions).toEqual([]);
});

test("a text is no answer to a form that wants several values", () => {
  const two = { requestedSchema: { type: "object", properties: { name: {}, age: {} } } } as never;
  const first = answering();
  answerBySuspending(asked("Who?", two), first.call);

  expect(answerBySuspending(asked("Who?", two), answering(first.stateOf(), "Ada").call)).toEqual({ action: "decline" });
});

/** Everything that a server asks, answered by the host's `elicit`. */
function elicited(elicit: (request: McpElicitation) => unknown, calls = new OpenCalls()) {
  const handlers = new Map<string, (request: object, extra: object) => Promise<unknown>>();
  const client = { setRequestHandler: (method: string, handle: never) => handlers.set(method, handle) };
  answerRequests(client as never, "s", { elicit: elicit as never }, calls);
  const { signal } = new AbortController();
  return (params: object) => handlers.get("elicitation/create")!({ params }, { mcpReq: { signal } });
}

const call = (signal: AbortSignal) => ({ context: { signal }, pause: () => () => {}, leave: () => {} });

test("values go to a server with a yes alone", async () => {
  for (const action of ["decline", "cancel"]) {
    const ask = elicited(() => ({ action, content: { name: "Ada" } }));
    expect(await ask({ message: "Name?", mode: "form", requestedSchema: FORM })).toEqual({ action });
  }
});

test("a question ends with the call that it belongs to, and with no other", async () => {
  const calls = new OpenCalls();
  const [one, other] = [new AbortController(), new AbortController()];
  const seen: AbortSignal[] = [];
  const ask = elicited(({ signal }) => {
    seen.push(signal);
    return { action: "accept" };
  }, calls);
  calls.add(call(one.signal));
  await ask({ message: "Of one call?", mode: "form", requestedSchema: FORM });
  calls.add(call(other.signal));
  await ask({ message: "Of either call?", mode: "form", requestedSchema: FORM });

  one.abort();

  expect(seen.map(({ aborted }) => aborted)).toEqual([true, false]);
});

const pagesFirst = Object.assign(new Error("first"), {
  code: -32042,
  data: { elicitations: [{ mode: "url", message: "Pay.", url: "https://pay.example" }] },
});

test.each(["accept", "decline", "cancel"])(
  "a call is made again only after the user has accepted its page: %s",
  async (action) => {
    let sent = 0;
    const send = async () => {
      if (++sent === 1) throw pagesFirst;
      return { content: [] };
    };
    const { signal } = new AbortController();

    const result = sendAfterPages(
      { server: "s", askUser: async () => ({ action }) as never, call: call(signal), signal },
      send,
    );

    if (action === "accept") expect(await result).toEqual({ content: [] });
    else await expect(result).rejects.toThrow("the user did not agree to that");
    expect(sent).toBe(action === "accept" ? 2 : 1);
  },
);

test("a call that is aborted while its page is open is not made again, whatever the user says then", async () => {
  const stop = new AbortController();
  let sent = 0;
  const send = async () => {
    sent++;
    throw pagesFirst;
  };
  const askUser = async () => {
    stop.abort(new Error("stopped"));
    return { action: "accept" } as const;
  };

  await expect(
    sendAfterPages({ server: "s", askUser, call: call(stop.signal), signal: stop.signal }, send),
  ).rejects.toThrow("stopped");
  expect(sent).toBe(1);
});

test("a clock stands still until the last of its pauses is over, and counts what went before them", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let isOver = false;
    const clock = startClock(1_000, () => {
      isOver = true;
    });
    vi.advanceTimersByTime(600);
    const [first, second] = [clock.pause(), clock.pause()];
    vi.advanceTimersByTime(5_000);
    first();
    first();
    vi.advanceTimersByTime(5_000);
    expect(isOver).toBe(false);
    second();
    vi.advanceTimersByTime(399);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(2);
    expect(isOver).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a list that changes while it is read is read once more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let reads = 0;
    const timer = new RefreshTimer(async () => {
      if (++reads === 1) timer.request();
    });
    timer.request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(2);
    timer.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a definition that was accepted in this process is not made another by what was kept before", async () => {
  let loads = 0;
  const host = { server: "s", toolTimeoutMs: null, target: () => ({}), changeOf: () => "same", accept: () => {} };
  const box = new Toolbox(host as never, {
    load: () => {
      if (++loads === 1) throw new Error("not there");
      return { echo: "kept", other: "kept" };
    },
    save: () => {},
  });
  const listed = {
    name: "echo",
    description: "Echo.",
    inputSchema: { type: "object" },
    title: "t",
    isReadOnly: false,
    isDestructive: false,
    digest: "now",
  };
  await expect(box.update([listed], {} as never)).rejects.toThrow("not there");
  box.accept(listed);

  await box.update([listed], {} as never);

  expect(box.changeOf(listed)).toBe("same");
});
