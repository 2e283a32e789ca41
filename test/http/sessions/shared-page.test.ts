import fc from "fast-check";
import { expect, test } from "vitest";
import { sharedPage } from "../../../src/http/sessions/shared-page.js";

const TAGS = ["!doctype", "html", "meta", "title", "style", "main", "h1", "section", "h2", "p", "em", "img"];

test("whatever was said, and whatever files and tools are called, no tag, attribute or address comes of it", () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "<script>",
      '"><svg onload=alert(1)>',
      "</style>",
      "javascript:alert(1)",
      "data:image/svg+xml;base64,AA",
      "&lt;",
    ),
  );
  const part = fc.oneof(
    hostile.map((text) => ({ type: "text", text })),
    fc.tuple(hostile, hostile).map(([url, filename]) => ({ type: "file", mediaType: "image/png", url, filename })),
    hostile.map((url) => ({ type: "file", mediaType: url, url: `data:image/png;base64,${url}` })),
    hostile.map((name) => ({
      type: `tool-${name}`,
      toolCallId: "c",
      state: "output-available",
      input: {},
      output: "secret",
    })),
  );
  fc.assert(
    fc.property(hostile, fc.array(part), (title, parts) => {
      const page = sharedPage(title, [{ id: "1", role: "assistant", parts }]);

      const tags = [...page.matchAll(/<\/?([!\w]+)([^>]*)>/g)];
      expect(new Set([...page.matchAll(/<(?!\/?[!\w])/g)]).size).toBe(0);
      for (const [, name, rest] of tags) {
        expect(TAGS).toContain(name);
        const plain = rest!.replace(/"[^"]*"/g, '""');
        expect(plain).not.toMatch(/\bon\w+=|href|javascript/);
        if (name === "img") expect(rest).toMatch(/^ src="data:image\/png;base64,[A-Za-z0-9+/=]*" alt="[^"<>]*"$/);
      }
      expect(page).not.toContain("secret");
    }),
  );
});
