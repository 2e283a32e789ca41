// Runs command lines in a sandboxed shell with masked secrets, in a process whose environment the test has made: what is masked is a
// variable of the process, and its certificates are those it was started with. Prints the output of each line as JSON.
import { createWorkspace, type SandboxPolicy, sandboxedShell } from "../../src/workspace/index.js";

const [root, policy, protectedPaths, ...lines] = process.argv.slice(2);
const workspace = await createWorkspace({
  root: root!,
  env: { TEST_TOKEN: process.env.TEST_TOKEN! },
  protectedPaths: JSON.parse(protectedPaths!) as string[],
  shell: sandboxedShell(JSON.parse(policy!) as SandboxPolicy),
});
const outputs: string[] = [];
try {
  for (const command of lines) {
    const chunks: Uint8Array[] = [];
    await workspace.shell.run({ command, onOutput: (chunk) => chunks.push(chunk) });
    outputs.push(Buffer.concat(chunks).toString());
  }
} catch (error) {
  outputs.push(String(error));
}
await workspace.close();
console.log(JSON.stringify(outputs));
