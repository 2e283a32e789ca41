import { expect, test } from "vitest";
import { readRefusal } from "../../../../src/providers/shared/failures/refusal-body.js";

test("a refusal is read as its text", async () => {
  expect(await readRefusal(new Response("no"))).toBe("no");
  expect(await readRefusal(new Response(null))).toBe("");
});

test("an endless refusal is closed after 64 KiB", async () => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(0x61)),
    cancel: () => {
      isClosed = true;
    },
  });

  const text = await readRefusal(new Response(body));

  expect(text).toHaveLength(65_536);
  expect(isClosed).toBe(true);
});

test("one that breaks is what came of it", async () => {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (pulls++ === 0) controller.enqueue(new TextEncoder().encode("half"));
      else controller.error(new Error("reset"));
    },
  });

  expect(await readRefusal(new Response(body))).toBe("half");
});
