// A session whose model has written a program: three looks, and a payment that somebody is to allow.
import { AgentEngine, defineTool, type SessionEntry, ToolRegistry } from "loopwright";
import { withPrograms } from "loopwright/programs";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";

export const PROGRAM = `// Pays what is open
const looks = await Promise.all([1, 2, 3].map((id) => tools.look({ id })));
return await tools.pay({ to: "bob" });`;

const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: async () => "A door." });
const pay = defineTool({ name: "pay", description: "Pays.", permission: "execute", execute: async () => "Paid." });

/** The engine that waits for an answer in the session "shop", and what has been stored of it at any time. */
export async function programSession() {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([toolCall("run_program", { program: PROGRAM }), text("It is paid.")]),
    tools: withPrograms(new ToolRegistry([look, pay])),
    permissions: {
      decide: ({ tool }) =>
        Object(tool).name === "pay" ? { behavior: "ask", reason: "It costs." } : { behavior: "allow" },
    },
    sessions,
  });
  const asked = await engine.run("Pay.", { sessionId: "shop" });
  const stored = async (): Promise<readonly SessionEntry[]> => {
    const entries: SessionEntry[] = [];
    for await (const entry of sessions.read("shop")) entries.push(entry);
    return entries;
  };
  const allow = () => engine.resume("shop", { answers: [{ id: asked.pending[0]!.id, decision: "allow" }] });
  return { engine, sessions, stored, allow };
}
