import { expect, test } from "vitest";
import { escapeHtml } from "../../src/text/escape-html.js";

test("a text as it stands in HTML, also between quotes", () => {
  expect(escapeHtml(`<b title="it's">&amp;</b>`)).toBe("&lt;b title=&quot;it&#39;s&quot;&gt;&amp;amp;&lt;/b&gt;");
  expect(escapeHtml("Köln – plain")).toBe("Köln – plain");
});
