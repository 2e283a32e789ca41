import { expect, test } from "vitest";
import { AgentEngine, defineTool, validateTranscript } from "../../src/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";

test.each(["approval-requested", "hook-outcome"] as const)(
  "a run aborted at its last %s before it would wait for approval answers its calls",
  async (moment) => {
    const put = defineTool({
      name: "put",
      description: "Writes.",
      permission: "read_write",
      execute: async () => "done",
    });
    const hooks = { Notification: [{ run: () => ({}) }] };
    const engine = new AgentEngine({ provider: scripted([[toolCall("put"), toolCall("put")]]), tools: [put], hooks });
    let seen = 0;
    engine.on(moment, () => {
      if (++seen === 2) run.abort("changed my mind");
    });

    const run = engine.stream("Write twice.");
    const result = await run.result;

    expect(result).toMatchObject({ status: "aborted", pending: [] });
    expect(validateTranscript(result.messages())).toEqual([]);
  },
);
