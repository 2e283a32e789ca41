// Shows: a support bot whose tools run in a container of each user's own, under one agent for all of them.
// Run:   npx tsx examples/machines/container-per-user.ts node:24-slim   (needs Docker, or DOCKER_HOST; any image of a Linux will do)
// Expect: two users at once, in two containers without a network, neither of which has the other's file.
import assert from "node:assert/strict";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMachineWorkspace, dockerMachine } from "loopwright/workspace";

const image = process.argv[2] ?? "debian:stable-slim";

/** What the server knows of a request: the run option `context`. */
interface Request {
  readonly user: string;
}

// Without a key a script plays the model: it runs what it is asked to, and answers with what came out.
const provider = scripted(
  [
    ({ messages }) => {
      const [part] = messages.at(-1)!.content;
      if (part && "output" in part) return text(String(part.output));
      return toolCall("bash", { command: part?.type === "text" ? part.text : "" });
    },
  ],
  { loop: true },
);
const bot = await createCodingAgent<Request>({
  provider,
  home: null,
  // Called once for each session, before its first run. The container is removed when the agent closes the workspace.
  workspace: () =>
    createMachineWorkspace({
      machine: dockerMachine({ image, memory: "256m" }),
      root: "/work",
      makeRoot: true,
      contained: { network: "none" },
    }),
  workspaces: { maxOpen: 100 },
});

const answers = await Promise.all(
  ["ann", "bob"].map((user) =>
    bot.engine.run(`echo ${user} > ${user}.txt; sleep 1; ls; ls /sys/class/net`, {
      sessionId: `chat of ${user}`,
      context: { user },
    }),
  ),
);
await bot.close();
const failed = answers.find(({ status }) => status !== "completed");
if (failed) {
  console.error(`This example needs a Docker engine and the image "${image}". ${failed.error?.message}`);
  process.exit(1);
}
for (const { text: answer } of answers) console.log(answer.trim());

assert.deepEqual(
  answers.map(({ text: answer }) => answer.trim().split("\n").slice(0, 2)),
  [
    ["ann.txt", "lo"],
    ["bob.txt", "lo"],
  ],
);
