import { expect, test } from "vitest";
import { analyze } from "./kit.js";

const variants = (line: string) => analyze(line).commands.at(-1)!.variants;

test.each([
  ["/usr/bin/git -C x push", "git push"],
  ["git push origin -f", "git push -f origin"],
  ["rm -fr x", "rm -f -r x"],
  ["timeout 5 rm x", "rm x"],
  ["timeout 5 rm x", "timeout 5 rm x"],
  ["kubectl -n prod delete pod", "kubectl delete pod"],
  ["x=push; git $x", "git push"],
  ["/usr/lib/git-core/git-push origin -f", "git push -f origin"],
])("%s is also %s", (line, variant) => {
  expect(variants(line)).toContain(variant);
});

test("the first is the text, and they are not many", () => {
  const { text, variants: all } = analyze("git -c a=b -C x push -f -u -n -v").commands[0]!;
  expect(all[0]).toBe(text);
  expect(all.length).toBeLessThanOrEqual(24);
});
