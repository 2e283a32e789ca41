// The first answer of a fresh process: `node cold-answer.js <ours | fetch> <url>`. Prints the milliseconds from before anything
// is imported to the first text of the model, of a server that answers at once.
const [contender, url] = process.argv.slice(2) as [string, string];

async function firstBytes(): Promise<number> {
  const body = JSON.stringify({ model: "bench", messages: [{ role: "user", content: "go" }], stream: true });
  const headers = { "content-type": "application/json", authorization: "Bearer k" };
  const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body });
  const { value } = await response.body!.getReader().read();
  if (!value) throw new Error("The server sent nothing.");
  return performance.now();
}

/** Not known to the bundler: the package is loaded as an app loads it. */
const load = (specifier: string) => import(specifier);

/** When the text is there: what comes after it, leaving the loop ends the run, is no part of an answer. */
async function firstText(): Promise<number> {
  const [core, adapter] = await Promise.all([load("loopwright"), load("loopwright/providers/openai")]);
  const { AgentEngine } = core as typeof import("loopwright");
  const { openai } = adapter as typeof import("loopwright/providers/openai");
  const engine = new AgentEngine({ provider: openai({ model: "bench", apiKey: "k", baseURL: url }) });
  for await (const event of engine.stream("go")) if (event.type === "text-delta") return performance.now();
  throw new Error("The run ended without text.");
}

const startedAt = performance.now();
const answeredAt = await (contender === "fetch" ? firstBytes() : firstText());
process.stdout.write(JSON.stringify({ ms: answeredAt - startedAt }));
process.exit();
