import type { Random } from "./random-script.js";

// Lines about words: one command whose words nest every kind of quote and expansion in every other, around a payload that leaves a
// file behind when it runs.
//
//   line    command, also twice, or after an assignment
//   command echo word | cat <<END with word in it | [ word ] | for NAME in word | NAME=word | bash -c word | read <<< word
//           | case word in word) … | [[ word =~ word ]] | (( word )) | for ((i=word; …)) | {a,word} | ${x%word} | sed -n word | …
//   word    payload, or one of the wrappings below around a word, or two words beside each other; now and then a stray character
//   payload $(touch canary), `touch canary`, a[$(touch canary)], touch canary, a line end and touch canary, 1e touch canary for sed

/** The payload leaves this behind. */
export const CANARY = "canary";

const PAYLOADS = [
  `$(touch ${CANARY})`,
  `$(touch ${CANARY})`,
  `\`touch ${CANARY}\``,
  `a[$(touch ${CANARY})]`,
  `touch ${CANARY}`,
  `;touch ${CANARY};`,
  `\ntouch ${CANARY}\n`,
  `<(touch ${CANARY})`,
  `1e touch ${CANARY}`,
  `1w ${CANARY}`,
];
const SAFE = ["a", "b.ts", "src/a", "-n", "*", "~", "$x", "'a b'", '"c"', "{a,b}", "1"];
const STRAY = ["'", '"', "\\", "$", "\n", "}", "{", ")", "(", " ", "#", "~", "=", ":", "`", "!", "]", "\t"];

/** Around a word `W`. */
const WRAPPINGS = [
  "'W'",
  '"W"',
  "$'W'",
  '$"W"',
  "\u0024{x:-W}",
  '"\u0024{x:-W}"',
  "\u0024{x:=W}",
  "\u0024{y+W}",
  "\u0024{y#W}",
  "\u0024{y/a/W}",
  "\u0024{y:W}",
  "$(echo W)",
  '"$(echo W)"',
  "`echo W`",
  "$((W))",
  "$[W]",
  "{a,W}",
  "{W}",
  "~W",
  "~/W",
  "\\W",
  "[W]",
  "a[W]",
  "@(W)",
  "<(echo W)",
  "a=W",
  "a:W",
  "W\\\nW",
  "$(cat <<E\nW\nE\n)",
  "$(cat <<'E'\nW\nE\n)",
  "$(\n# W\n)",
];
const COMMANDS = [
  "echo W",
  "echo W W",
  "cat <<E\nW\nE",
  "cat <<'E'\nW\nE",
  "cat <<-E\n\tW\n\tE",
  'cat <<"E"\nW\nE\necho W',
  "cat <<E W\nW\nE",
  "cat <<< W",
  "[ W ]",
  "[ W W ]",
  "[ -n W ]",
  "test W = W",
  "[[ W == W ]]",
  "[[ -f W ]]",
  "for x in W; do echo $x; done",
  'for x in a W; do echo "$x"; done',
  "x=W; echo $x",
  'x=W; echo "$x" W',
  "x=W; [ $x W ]",
  "x=W; echo $((x))",
  "export x=W",
  "x=W echo W",
  "read x <<< W; echo $x",
  "if [ W ]; then echo W; fi",
  "while false; do echo W; done",
  "bash -c W",
  "bash -c 'echo W'",
  'bash -c "echo W"',
  "echo W | cat",
  "(echo W)",
  "{ echo W; }",
  "printf W W",
  "printf '%s' W",
  "echo W # W",
  "! echo W",
  "cd W; echo W",
  "set -a; x=W; bash -c :",
  ": W W",
  "x=W; cat $x",
  "case W in W) echo W;; *) echo a;; esac",
  "case W in (a | W) echo W;; esac; echo W",
  "x=W; case $x in a*) echo $x;; W) echo W;; esac",
  "[[ W =~ W ]]",
  "[[ W < W && ! -n W ]] || echo W",
  "x=W; [[ $x -gt 1 ]]",
  'x=W; [ "$x" -gt W ]',
  "(( W ))",
  "((W > 1)) && echo W",
  "x=W; ((x > 0))",
  "echo $((W + 1))",
  "x=W; y=$x; echo $((y))",
  "for ((i=0; i<W; i++)); do echo $i; break; done",
  "for ((i=W; i<2; i+=1)); do echo $((i)); done",
  "x=W; for ((i=0; i<x; i++)); do echo $i; break; done",
  "echo {a,W} x{W,b}c",
  "echo W{1..3}W",
  "for x in {a,W}; do echo $x; cat src/$x; done",
  "for x in {1..W}; do echo $x; done",
  'x=W; echo "\u0024{x%W}" "\u0024{x##W}"',
  'x=W; echo "\u0024{x:0:W}" "\u0024{#x}"',
  "y=W; x=\u0024{y%W}; echo $x; echo $((x))",
  "while read -r x; do echo $x; done <<< W",
  "cat <<< W | while read -r x; do echo $x; echo $((x)); done",
  "IFS=W read -r x y <<< W; echo $y",
  "x=$(echo W); echo $x $((x))",
  "x=$(wc -l < W); echo $((x + W))",
  'x=W; sed -n "$x" W',
  'x=W; sed -n "1,\u0024{x}p" W',
  "for x in 1 W; do sed -n \u0024{x}p W; done",
  'sed -n "$(echo W)p" W',
  'sed -n "\u0024{#x}W"',
  "sed W W",
  "for x in echo W; do $x W; done",
  "x=W; $x W",
  'echo "\u0024{PIPESTATUS[W]}"',
  "if (( W )); then echo W; elif [[ W ]]; then echo W; fi",
  "until [[ W ]]; do echo W; break; done",
  "(case W in a) echo W;; esac)",
  "x=W; set -- $x; echo $1",
  "x=a; for x in W; do echo $x; done; $x W",
  "for i in 1 2; do echo $((x)); x=W; done",
  "if true; then x=W; fi; echo $((x))",
  "(x=W); echo $((x)); x=1",
];

/** A line with the payload somewhere in it. */
export function randomLine(random: Random): string {
  const line = fill(random, random.pick(COMMANDS));
  return random.chance(0.15) ? `${line}; ${fill(random, random.pick(COMMANDS))}` : line;
}

function fill(random: Random, shape: string): string {
  return shape.replace(/W/g, () => word(random, 1 + random.below(4)));
}

function word(random: Random, depth: number): string {
  const stray = random.chance(0.04) ? random.pick(STRAY) : "";
  if (depth === 0) return stray + random.pick(random.chance(0.7) ? PAYLOADS : SAFE);
  if (random.chance(0.1)) return word(random, depth - 1) + word(random, depth - 1);
  const wrapping = random.pick(WRAPPINGS);
  return wrapping.replace(/W/g, () => word(random, depth - 1)) + stray;
}
