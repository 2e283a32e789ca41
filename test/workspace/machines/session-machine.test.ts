import { createMachineWorkspace, type SandboxSessionLike, sessionFiles, sessionMachine } from "loopwright/workspace";
import { expect, test } from "vitest";

const open = (session: Pick<SandboxSessionLike, "spawn">) =>
  createMachineWorkspace({ machine: sessionMachine(session), root: "/" });

function processThat(end: () => Promise<void>) {
  const stream = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return { stdout: stream(), stderr: stream(), wait: async () => ({ exitCode: 0 }), kill: end };
}

test("a session that starts nothing, or takes no input, is refused with what is missing", async () => {
  let killed = 0;
  const spawn = async () =>
    processThat(async () => {
      killed++;
      throw new Error("it has ended");
    });

  expect(() => sessionMachine({})).toThrow(/: it has no "spawn"\. Use sessionFiles\(session\)/);
  expect(() => sessionFiles({} as never)).toThrow(/it has no "run" and no "readFile" and no "writeBinaryFile"/);
  await expect(open({ spawn })).rejects.toMatchObject({ code: "OPTION_INVALID", details: { missing: ["stdin"] } });
  expect(killed).toBe(1);
});

test("a session that refuses to start a program says why", async () => {
  const spawn = () => Promise.reject(new Error("stdin is not supported"));

  await expect(open({ spawn })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "The sandbox session could not start a program with standard input: stdin is not supported",
  });
});
