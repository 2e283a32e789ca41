import { expect, test } from "vitest";
import { readSearchPattern } from "../../../../src/tools/search/pattern/search-pattern.js";

const LINE = { ignoreCase: false, multiline: false };

const matches = (pattern: string, line: string) => {
  const { source, flags } = readSearchPattern(pattern, LINE);
  return new RegExp(source, flags).test(line);
};

test.each([
  ["fo+", "xfooy", true],
  ["^foo$", "foo", true],
  ["^foo$", "food", false],
  ["a{2}", "aa", true],
  ["items[0]", "items0", true],
  ["\\bcat\\b", "a cat sat", true],
  ["\\bcat\\b", "concat", false],
  ["\\w", "é", false],
  ["(get|set)Name", "setName", true],
  ["^(?!.*foo).*bar", "a bar", true],
  ["^(?!.*foo).*bar", "foo bar", false],
  ["(?<q>['\"]).*\\k<q>", "x = 'y'", true],
  ["\\p{Script=Greek}", "α", true],
])("%s is read as JavaScript does: on %j %s", (pattern, line, expected) => {
  expect(matches(pattern, line)).toBe(expected);
});

test.each([
  ["{", "if (x) {"],
  ["^}]$", "}]"],
  ["a{x}", "a{x}"],
  ['\\"\\-\\:\\@\\_\\ \\é', '"-:@_ é'],
  ['^[\\"\\_\\<]+$', '"_<'],
  ["(?P<year>\\d{4})-\\k<year>", "2024-2024"],
  ["(?i)FOO", "foo"],
  ["(?ims)^FOO$", "foo"],
  ["^[[:alpha:]_]+[^[:digit:]]$", "ab_!"],
  ["^[[:punct:]]+$", "!/:@[`{~^]-\\"],
  ["^[[:space:]]+$", " \t"],
  ["^[]a]+$", "]a"],
  ["^[^]a]+$", "bc"],
  ["^[\\w-.]+$", "a-b.c"],
  ["^[[:alnum:]-_]+$", "a-1_"],
  ["^\\x{1F600}\\u{41}\\x42$", "😀AB"],
  ["^\\pL+$", "éa"],
])("%s has the only sense it can have: it matches %j", (pattern, line) => {
  expect(matches(pattern, line)).toBe(true);
});

test.each([
  ["\\<a", "write \\b"],
  ["a\\>", "write \\b"],
  ["\\Aa", "write ^"],
  ["a\\z", "write $"],
  ["\\Qa.b\\E", "write a backslash"],
  ["\\h", "write [ \\t]"],
  ["a++", 'write "+"'],
  ["a{2}+", 'write "{2}"'],
  ["a{,3}", 'write "{0,3}"'],
  ["[a-z&&b]", 'write "\\&"'],
  ["[+--]", 'write "\\-"'],
  ["[a~~b]", 'write "\\~"'],
  ["[a[b]]", 'write "\\["'],
  ["[[.a.]]", 'write "\\["'],
  ["[:alpha:]", 'write "[[:alpha:]]"'],
  ["[[:constructor:]]", "not a known class"],
  ["[[:^alpha:]]", "not a known class"],
  ["[^]*]", 'write "[\\s\\S]"'],
  ["a\\nb", "set multiline"],
  ["a\nb", "set multiline"],
  ["a\\", 'write "\\\\"'],
  ["(a", "Unterminated group"],
  ["a)", "Unmatched"],
  ["[a", "Unterminated character class"],
  ["[", "Unterminated character class"],
  ["*a", "Nothing to repeat"],
  ["(?>a)", "Invalid group"],
  ["a(?i)b", "Invalid group"],
  ["\\p{Greek}", "Invalid property name"],
  ["x".repeat(5_001), "5000 characters"],
])("%s is refused with what to do", (pattern, hint) => {
  expect(() => readSearchPattern(pattern, LINE)).toThrow(
    expect.objectContaining({ code: "PATTERN_INVALID", message: expect.stringContaining(hint) }),
  );
});

test("flags follow the call, and a leading (?i)", () => {
  expect(readSearchPattern("a", LINE).flags).toBe("um");
  expect(readSearchPattern("(?i)a", LINE).flags).toBe("umi");
  expect(readSearchPattern("a\\nb", { ignoreCase: true, multiline: true }).flags).toBe("umsi");
});

test.each([
  ["foo\\.bar", "foo\\u{2e}bar"],
  ["\\bé+?", "(?-u:\\b)\\u{e9}+?"],
  ["(?<n>a|b){2,}", "(?:a|b){2,}"],
  ["\\d", "(?-u:[\\x30-\\x39]|[\\x80-\\xff]{1,4})"],
  ["[^\\0-y~]", "(?-u:[\\x7a-\\x7d\\x7f-\\x7f]|[\\x80-\\xff]{1,4})"],
  ["(^a$)", "(?:a)"],
  ["a$\\b", "a(?-u:\\b)"],
])("%s is spelled for ripgrep as %s", (pattern, ripgrep) => {
  expect(readSearchPattern(pattern, LINE).ripgrep).toBe(ripgrep);
});

test.each(["(?=a)", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "a".repeat(1_001)])(
  "%s has no spelling for ripgrep",
  (pattern) => {
    expect(readSearchPattern(pattern, LINE).ripgrep).toBeNull();
  },
);

test("ripgrep never hears of a word boundary where JavaScript counts more letters than ASCII", () => {
  expect(readSearchPattern("\\bkey", { ignoreCase: true, multiline: false }).ripgrep).toBe("key");
});

test.each(["\\sx", "\\S+\\s$", "[^-a]+$", "[^a-]b", "^\\W*$", "\\D\\d", "a|[^^]c", "\\bfoo\\B", "^$", "x*$"])(
  "%s matches no line of a text in which its whole form does not match",
  (pattern) => {
    const { source, flags, whole } = readSearchPattern(pattern, LINE);
    expect(whole).not.toBeNull();
    const [ofLine, ofText] = [new RegExp(source, flags), new RegExp(whole!, flags)];
    const lines = ["", " ", "a", "-", "x", "foo", "ab", "9", "\u2028", "b-", "^c", "é ", "a1", "foox"];
    for (const first of lines) {
      for (const second of lines) {
        const text = `${first}\n${second}`;
        const hasLine = ofLine.test(first) || ofLine.test(second);
        expect([text, hasLine && !ofText.test(text)]).toEqual([text, false]);
      }
    }
  },
);
