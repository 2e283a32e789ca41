// What the one who writes hooks has from the types: a guard narrows a call's input to that of its tool.
import { AgentEngine, defineTool, type HookInput, type HookMap, isHookInputFor, type JsonValue } from "loopwright";
import { scripted } from "loopwright/providers/scripted";
import { createMemoryWorkspace } from "loopwright/testing";
import { createBashTool } from "loopwright/tools";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

interface Deployment {
  target: "staging" | "production";
  force?: boolean | undefined;
  hosts: { name: string; port?: number | undefined }[];
}

const deploy = defineTool({
  name: "deploy",
  description: "Deploys.",
  permission: "read_write",
  input: z.object({
    target: z.enum(["staging", "production"]),
    force: z.boolean().optional(),
    hosts: z.array(z.object({ name: z.string(), port: z.number().optional() })),
  }),
  execute: ({ target }) => target,
});
const isAllowed = ({ target, hosts }: Deployment) => target === "staging" && hosts.length === 1;

test("a hook's input is narrowed to a tool's input, nested and optional parts as well", () => {
  const hooks: HookMap = {
    PreToolUse: [
      {
        run(input) {
          expectTypeOf(input.toolInput).toEqualTypeOf<JsonValue>();
          // @ts-expect-error it is not known yet what it is about
          input.toolInput.target;
          if (!isHookInputFor(input, deploy)) return { decision: "approve" };
          expectTypeOf(input.toolInput.target).toEqualTypeOf<"staging" | "production">();
          expectTypeOf(input.toolInput.force).toEqualTypeOf<boolean | undefined>();
          expectTypeOf(input.toolUseId).toEqualTypeOf<string>();
          for (const { name, port } of input.toolInput.hosts) {
            expectTypeOf(name).toEqualTypeOf<string>();
            expectTypeOf(port).toEqualTypeOf<number | undefined>();
          }
          const [first] = input.toolInput.hosts.map(({ name }) => name);
          expectTypeOf(first).toEqualTypeOf<string | undefined>();
          // @ts-expect-error the tool has no such argument
          input.toolInput.tarjet;
          return isAllowed(input.toolInput) ? {} : { decision: "block", reason: input.toolInput.target };
        },
      },
    ],
    PostToolUse: [
      {
        run(input) {
          if (!isHookInputFor(input, deploy)) return;
          expectTypeOf(input.toolInput.target).toEqualTypeOf<"staging" | "production">();
          expectTypeOf(input.durationMs).toEqualTypeOf<number>();
        },
      },
    ],
    PermissionRequest: [{ run: (input) => (isHookInputFor(input, deploy) ? { reason: input.toolInput.target } : {}) }],
    PostToolBatch: [
      {
        run({ toolCalls }) {
          for (const call of toolCalls)
            if (isHookInputFor(call, deploy))
              expectTypeOf(call.toolInput.target).toEqualTypeOf<"staging" | "production">();
        },
      },
    ],
  };
  new AgentEngine({ provider: scripted([]), hooks });
});

test("one function for every point is narrowed by the same guard, and so are the built-in tools", async () => {
  const bash = createBashTool(await createMemoryWorkspace());
  const run = (input: HookInput) => {
    if (isHookInputFor(input, bash)) {
      expectTypeOf(input.toolInput.command).toEqualTypeOf<string>();
      return;
    }
    if (isHookInputFor(input, deploy)) {
      expectTypeOf(input.toolInput.hosts[0]?.name).toEqualTypeOf<string | undefined>();
      return;
    }
    expectTypeOf(input.sessionId).toEqualTypeOf<string>();
  };
  new AgentEngine({ provider: scripted([]), hooks: { PreToolUse: [{ run }], Stop: [{ run }] } });
});

test("a point has the fields of its own payload, and no others", () => {
  const hooks: HookMap = {
    SessionStart: [
      {
        run(input) {
          expectTypeOf(input.contextTokens).toEqualTypeOf<number | undefined>();
          // @ts-expect-error a session's start is about no tool
          input.toolInput;
        },
      },
    ],
    // @ts-expect-error there is no such point
    BeforeTool: [],
  };
  new AgentEngine({ provider: scripted([]), hooks });
});
