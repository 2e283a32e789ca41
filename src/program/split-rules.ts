/** `Bash(git log *), Edit` as two rules: they are parted by commas or spaces outside parentheses. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = "";
  let depth = 0;
  for (const char of text) {
    if (depth === 0 && /[\s,]/.test(char)) {
      rules.push(rule);
      rule = "";
      continue;
    }
    if (char === "(") depth += 1;
    if (char === ")") depth = Math.max(0, depth - 1);
    rule += char;
  }
  return [...rules, rule].filter((each) => each !== "");
}
