// Heap of a conversation that waits for its next prompt, after five calls: `node --expose-gc peer-idle.js <library>`.
const CONVERSATIONS = 1_000;
const CALLS = 5;
/** A prompt, the calls, their results, an answer. */
const MESSAGES = 2 + 2 * CALLS;

interface Conversations {
  /** Answers with what a host must keep to go on. */
  start(index: number): Promise<object | string>;
  /** Prompts it again; answers with how many messages the model was sent, or with more. */
  goOn(conversation: object | string): Promise<number>;
}

const { conversations } = (await import(new URL(`../peers/${process.argv[2]}.mjs`, import.meta.url).href)) as {
  readonly conversations: (turns: number) => Conversations;
};

function heapBytes(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const { start, goOn } = conversations(CALLS);
// What is made once for all of them is not counted.
await start(CONVERSATIONS);
const before = heapBytes();
const kept: (object | string)[] = [];
for (let index = 0; index < CONVERSATIONS - 1; index++) kept.push(await start(index));
// What is finished in the background is not kept.
await new Promise((resolve) => setTimeout(resolve, 10));
const bytes = heapBytes() - before;
const sent = await goOn(kept[0]!);
if (sent < MESSAGES + 1)
  throw new Error(`${process.argv[2]} sent ${sent} messages of a conversation with ${MESSAGES}.`);
process.stdout.write(JSON.stringify({ idleKb: bytes / kept.length / 1024 }));
