import { expect, test } from "vitest";
import { promptContent } from "../../src/ai-sdk/prompt.js";

test("a picture and a file of a prompt keep their names", () => {
  const file = (mediaType: string, filename: string) => ({ type: "file", mediaType, filename, data: "AAAA" });
  const content = [file("image/png", "a.png"), file("application/pdf", "plan.pdf"), { type: "image", image: "AAAA" }];

  expect(promptContent("loopwright", { role: "user", content })).toEqual([
    { type: "image", mediaType: "image/png", data: "AAAA", name: "a.png" },
    { type: "file", mediaType: "application/pdf", data: "AAAA", name: "plan.pdf" },
    { type: "image", mediaType: "image/png", data: "AAAA" },
  ]);
});
