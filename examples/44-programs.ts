// Shows: the model writes one program that reads 40 files, filters them, and changes those that need it; a person is asked once.
// Run:   npx tsx examples/44-programs.ts
// Expect: two requests to the model, one question for the one call that writes, and 13 changed files.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool, ToolRegistry } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { withPrograms } from "loopwright/programs";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createGlobTool, createReadFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const root = await mkdtemp(join(tmpdir(), "loopwright-programs-"));
for (let n = 1; n <= 40; n++) {
  await writeFile(
    join(root, `page-${n}.md`),
    n % 3 === 0 ? `# Page ${n}\nVisit http://old.example/${n}\n` : `# Page ${n}\n`,
  );
}

const workspace = await createWorkspace({ root });
// Writes many files in one call, so that there is one question about all of them. Its value says what it has done.
const writeFiles = defineTool({
  name: "write_files",
  description: "Writes several files.",
  input: z.object({ files: z.array(z.object({ path: z.string(), text: z.string() })) }),
  outputSchema: { type: "object", properties: { written: { type: "number" } }, required: ["written"] },
  permission: "read_write",
  async execute({ files }) {
    for (const { path, text: content } of files) await writeFile(join(root, path), content);
    return { output: `Wrote ${files.length} files.`, value: { written: files.length } };
  },
});
const registry = new ToolRegistry([createGlobTool(workspace), createReadFileTool(workspace), writeFiles]);

const program = `// Move the links of all pages to the new address
const { paths } = await tools.glob({ pattern: "*.md" });
const pages = await Promise.all(paths.map(async (path) => ({ path, text: (await tools.read_file({ path })).text })));
const files = pages
  .filter(({ text }) => text.includes("http://old.example/"))
  .map(({ path, text }) => ({ path, text: text.replaceAll("http://old.example/", "https://new.example/") }));
console.log(\`\${pages.length} pages read\`);
return tools.write_files({ files });`;

const provider = scripted([
  toolCall("run_program", { program }),
  text("The links of 13 pages lead to the new address."),
]);
let questions = 0;
const engine = new AgentEngine({
  provider,
  tools: withPrograms(registry),
  permissions: createPermissionChecker({ workspace }),
  approver: ({ tool, input, within }) => {
    questions++;
    const { files } = input as unknown as { readonly files: readonly { readonly path: string }[] };
    console.log(`${tool} in ${within?.tool}: ${files.length} files, such as ${files[0]?.path}. Allowed.`);
    return { decision: "allow" };
  },
});

const result = await engine.run("Our old address is gone. Let all pages link to the new one.");
console.log(String(provider.requests[1]?.lastToolResult?.output));
console.log(`${result.text} (${provider.requests.length} requests, ${questions} question)`);

assert.equal(result.status, "completed");
assert.equal(provider.requests[1]?.lastToolResult?.output, '40 pages read\n{"written":13}');
assert.equal(provider.requests.length, 2);
assert.equal(questions, 1);
assert.match(await readFile(join(root, "page-39.md"), "utf8"), /https:\/\/new\.example\/39/);
await rm(root, { recursive: true });
