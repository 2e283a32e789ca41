// What the one who writes an app has from the types: results, streams, contexts and questions.
import {
  AgentEngine,
  type AssistantMediaPart,
  defineTool,
  type HarnessError,
  isRequestFor,
  latestMedia,
  type MediaPart,
  type PendingRequest,
  type RunResult,
  type Workspace,
} from "loopwright";
import {
  type CodingAgentOptions,
  createCodingAgent,
  type OpenSessionWorkspace,
  type WorkspaceSession,
} from "loopwright/presets";
import { scripted } from "loopwright/providers/scripted";
import { createMemoryWorkspace } from "loopwright/testing";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const provider = scripted([]);
const Person = z.object({ name: z.string(), age: z.number().default(1) });
type Person = { name: string; age: number };

test("the output schema of a run types its result, in every way to run it", async () => {
  const engine = new AgentEngine({ provider });

  const result = await engine.run("who?", { output: Person });
  const streamed = await engine.stream("who?", { output: Person }).result;
  const resumed = await engine.resume("s", { output: Person }).result;

  expectTypeOf(result).toEqualTypeOf<RunResult<Person>>();
  expectTypeOf(streamed).toEqualTypeOf<RunResult<Person>>();
  expectTypeOf(resumed).toEqualTypeOf<RunResult<Person>>();
  expectTypeOf(result.output).toEqualTypeOf<Person | undefined>();
});

test("the output schema of an engine types its runs, and a run's own one wins", async () => {
  const engine = new AgentEngine({ provider, output: Person });

  expectTypeOf((await engine.run("who?")).orThrow().output).toEqualTypeOf<Person>();
  const counted = await engine.run("how many?", { output: z.object({ count: z.number() }) });
  expectTypeOf(counted.orThrow().output).toEqualTypeOf<{ count: number }>();
});

test("without a schema the output is unknown, and a status says what a result has", async () => {
  const result = await new AgentEngine({ provider }).run("hi");

  if (result.status === "completed") {
    expectTypeOf(result.output).toEqualTypeOf<unknown>();
    expectTypeOf(result.error).toEqualTypeOf<undefined>();
  } else if (result.status === "failed" || result.status === "output-invalid") {
    expectTypeOf(result.error).toEqualTypeOf<HarnessError>();
    expectTypeOf(result.output).toEqualTypeOf<undefined>();
  } else {
    expectTypeOf(result.error).toEqualTypeOf<HarnessError | undefined>();
  }
  // @ts-expect-error "done" is not a status
  if (result.status === "done") throw new Error();
});

test("what a model makes is typed in events, messages and what is taken from them", async () => {
  const engine = new AgentEngine({ provider });
  engine.on("media", ({ part }) => expectTypeOf(part).toEqualTypeOf<AssistantMediaPart>());
  const { messages } = await engine.run("draw");

  expectTypeOf(latestMedia(messages())).toEqualTypeOf<readonly MediaPart[]>();
  for (const message of messages()) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "image" || part.type === "file") expectTypeOf(part).toEqualTypeOf<AssistantMediaPart>();
      else if (part.type === "tool-call") expectTypeOf(part.name).toEqualTypeOf<string>();
      else expectTypeOf(part.text).toEqualTypeOf<string>();
    }
  }
  await engine.run([{ type: "text", text: "and now?" }, ...latestMedia(messages())]);
});

test("a run's text streams as strings", () => {
  const run = new AgentEngine({ provider }).stream("hi");

  expectTypeOf(run.textStream).toEqualTypeOf<AsyncIterable<string>>();
});

test("tools of an app know its context", () => {
  const define = defineTool.withApp<{ readonly user: string }>();

  define({
    name: "greet",
    description: "Greets.",
    permission: "none",
    input: z.object({ loud: z.boolean() }),
    execute({ loud }, { app }) {
      expectTypeOf(loud).toEqualTypeOf<boolean>();
      expectTypeOf(app).toEqualTypeOf<{ readonly user: string }>();
      // @ts-expect-error the context has no such member
      app.name;
      return app.user;
    },
  });
  defineTool({
    name: "plain",
    description: "Knows nothing.",
    permission: "none",
    input: z.object({}),
    execute(_input, { app }) {
      expectTypeOf(app).toEqualTypeOf<unknown>();
      return 7;
    },
  });
});

test("an approver's question is narrowed to a tool's input", () => {
  const remove = defineTool({
    name: "remove",
    description: "Removes.",
    permission: "read_write",
    input: z.object({ path: z.string() }),
    execute: ({ path }) => ({ removed: path }),
  });

  new AgentEngine({
    provider,
    tools: [remove],
    approver(request) {
      expectTypeOf(request).toEqualTypeOf<PendingRequest>();
      // @ts-expect-error it is not known yet what it is about
      request.input.path;
      if (!isRequestFor(request, remove)) return { decision: "deny" };
      expectTypeOf(request.input.path).toEqualTypeOf<string>();
      // @ts-expect-error the tool has no such argument
      request.input.file;
      return { decision: "allow" };
    },
  });
});

test("events are typed by their name, and names that do not exist are refused", () => {
  const engine = new AgentEngine({ provider });

  engine.on("text-delta", (event) => expectTypeOf(event.text).toEqualTypeOf<string>());
  // @ts-expect-error events are kebab-case
  engine.on("textDelta", () => {});
  // @ts-expect-error no such option
  new AgentEngine({ provider, model: "x" });
});

test("the function that opens a session's workspace has the context's type, and unknown without one", async () => {
  type App = { readonly user: string };
  const options = { provider, home: null } as const;
  await createCodingAgent({
    ...options,
    workspace({ id, context, previous }: WorkspaceSession<App>) {
      expectTypeOf(id).toEqualTypeOf<string>();
      expectTypeOf(context.user).toEqualTypeOf<string>();
      expectTypeOf(previous).toEqualTypeOf<string | undefined>();
      return createMemoryWorkspace();
    },
  });
  await createCodingAgent<App>({ ...options, workspace: ({ context }) => open(context.user) });
  await createCodingAgent({
    ...options,
    workspace({ context }) {
      expectTypeOf(context).toEqualTypeOf<unknown>();
      return createMemoryWorkspace();
    },
  });
  // @ts-expect-error -- the context has no such field
  await createCodingAgent<App>({ ...options, workspace: ({ context }) => open(context.name) });
  // @ts-expect-error -- not a workspace
  await createCodingAgent({ ...options, workspace: async () => "/work" });
  expectTypeOf<CodingAgentOptions<App>["workspace"]>().toEqualTypeOf<
    Workspace | OpenSessionWorkspace<App> | undefined
  >();
});

declare function open(user: string): Promise<Workspace>;
