import type { SessionEntry } from "loopwright";

const BEGIN = Date.UTC(2026, 10, 20, 9);

/** A session of many turns: reads, edits, failures, and a compaction whenever the context is full. */
export function longSession(turns: number): SessionEntry[] {
  const entries: SessionEntry[] = [];
  let at = BEGIN;
  let context = 4_000;
  const add = (turn: number, record: object, ms = 0) => {
    at += ms;
    const base = { v: 1, id: `e${entries.length}`, parent: entries.at(-1)?.id ?? null, at, runId: "run-1", turn };
    entries.push({ ...base, ...record } as never);
  };
  add(0, { type: "run-start" });
  add(0, {
    type: "message",
    message: { role: "user", content: [{ type: "text", text: "Port the whole package to the new API." }] },
  });
  for (let turn = 1; turn <= turns; turn++) {
    const wave = 1 + Math.sin(turn / 9);
    context += Math.round(900 + 700 * wave);
    if (context > 160_000) {
      const report = {
        stage: "summarize",
        beforeTokens: context,
        afterTokens: 52_000,
        removedTurns: 60,
        durationMs: 8_200,
        costUsd: 0.031,
      };
      const summary = { role: "user", origin: "summary", content: [{ type: "text", text: "What was done so far." }] };
      add(turn, { type: "view-edit", stage: "summarize", from: "e1", to: "e2", replacement: [summary], report }, 8_200);
      context = 52_000;
    }
    const id = `call-${turn}`;
    const path = `src/module-${turn % 37}/index.ts`;
    const isEdit = turn % 3 === 0;
    const isFailed = turn % 41 === 0;
    const call = {
      type: "tool-call",
      id,
      name: isEdit ? "edit_file" : "read_file",
      arguments: isEdit ? { path, old_text: "a", new_text: "b" } : { path },
    };
    const usage = {
      inputTokens: context,
      outputTokens: Math.round(150 + 200 * wave),
      cacheReadTokens: Math.round(context * 0.93),
    };
    const content = [{ type: "text", text: `Step ${turn}: \`${path}\` is next.` }, call];
    add(
      turn,
      {
        type: "message",
        message: {
          role: "assistant",
          content,
          finishReason: "tool-calls",
          usage,
          provider: "anthropic",
          model: "claude",
        },
      },
      Math.round(1_800 + 2_500 * wave),
    );
    const diff = `--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n import { api } from "api";\n-api.old(${turn});\n+api.next(${turn});\n export {};`;
    const output = isFailed
      ? "old_text was not found in the file."
      : isEdit
        ? `Edited.\n${diff}`
        : `1\tline ${turn}\n`.repeat(60);
    const details = isEdit && !isFailed ? { path, diff } : isFailed ? { code: "EDIT_NOT_FOUND" } : null;
    const durationMs = Math.round(40 + 900 * Math.abs(Math.cos(turn / 5)));
    add(
      turn,
      {
        type: "tool-result",
        result: {
          toolCallId: id,
          name: call.name,
          output,
          isError: isFailed,
          status: isFailed ? "failure" : "success",
          durationMs,
          ...(details && { details }),
        },
      },
      durationMs,
    );
  }
  add(turns, { type: "run-end", status: "completed", usage: { inputTokens: 1, outputTokens: 1 } });
  return entries;
}
