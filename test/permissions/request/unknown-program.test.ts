import { expect, test } from "vitest";
import { deniedInside, InnerTexts } from "../../../src/permissions/request/unknown-program.js";
import { compileRules } from "../../../src/permissions/rules/rules.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";

const rules = compileRules([{ source: "flag", deny: ["Bash(git push:*)", "Bash(tool rm:*)", "Bash(aws s3 rm *)"] }], {
  root: "/p",
  home: "/h",
});
const denied = (line: string) =>
  deniedInside({ command: analyzeCommand(line).commands[0]!, effects: [] }, rules, new InnerTexts())?.ref.rule;

test.each([
  "wrap git push",
  "wrap -x git -C y push",
  "wrap 'git push'",
  "wrap --run 'spawn git push'",
  "wrap /bin/git push -f",
])("a program that is not known may run its words: %s", (line) => {
  expect(denied(line)).toBe("Bash(git push:*)");
});

test.each(["cp /usr/bin/git x", "ln -s /bin/git x", "install /usr/local/bin/git x", 'cp "$(which git)" x'])(
  "a copy of what is denied has another name: %s",
  (line) => {
    expect(denied(line)).toBe("Bash(git push:*)");
  },
);

test.each(["wrap git pull", "wrap push", "wrap 'push git'", "git status"])(
  "what is not denied is not in them: %s",
  (line) => {
    expect(denied(line)).toBeUndefined();
  },
);

test.each([
  ["tool --profile x rm y", "Bash(tool rm:*)"],
  ["tool a rm", "Bash(tool rm:*)"],
  ['tool "$x" y', "Bash(tool rm:*)"],
  ["aws --weird x s3 rm y", "Bash(aws s3 rm *)"],
  ['git "$x" y', "Bash(git push:*)"],
])("it may be what a rule says, with words between or unknown: %s", (line, rule) => {
  expect(denied(line)).toBe(rule);
});

test.each(["tool ls y", "git log --grep push", "git commit -m push", 'git log "$x"', "aws s3 ls", "aws s3api rm"])(
  "it is not what a rule says: %s",
  (line) => {
    expect(denied(line)).toBeUndefined();
  },
);

test.each([
  "perl -e 'exec qw(git push)'",
  "perl -e '@a = qw/git push/; system @a'",
  "perl -e 'print qx{git push}'",
  'perl -e \'system("g" . "it push")\'',
  "perl -le'exec+git=>push'",
  "perl <<< 'exec qw(git push)'",
  "ruby -e 'exec %w[git push]'",
  "ruby -e '%x(git push origin)'",
  "ruby -e ':git.to_s.then { system _1, %q(push) }'",
  'python3 -c \'subprocess.call("git,push".split(","))\'',
  'python3 -c \'os.system("g""it push")\'',
  `python3 -c "exec('import os\\nos.system(\\"git push\\")')"`,
  "python3 -c 'os.system(\"\\x67it push\")'",
  'node -e \'x(["git", "push"])\'',
  "lua -e 'os.execute[==[git push]==]'",
  'php -r \'proc_open(["git", "push"], [], $pipes);\'',
  'groovy -e \'["git", "push"].execute()\'',
  'R -e \'system2("git", "push")\'',
  "swipl -g \"shell('git push')\"",
  "rpm --eval '%(git push)'",
  "dpkg --pre-invoke='git push' -i a.deb",
  "x='git push' lua -e 'os.execute(os.getenv(\"x\"))'",
])("code that a program runs may hold what a rule says: %s", (line) => {
  expect(denied(line)).toBe("Bash(git push:*)");
});

test.each([
  "node -e 'list.push(1)'",
  "node -e 'git.x(); list.push(1)'",
  "python3 -c 'print(legit, push)'",
  "perl -ne 'print if /digit push/' a",
  "ruby push.rb git",
  "git commit -m 'then git push it'",
  "make 'git push'",
])("words apart, or of a program that runs no code, are nothing: %s", (line) => {
  expect(denied(line)).toBeUndefined();
});
