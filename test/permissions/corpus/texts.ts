// Command lines of a hostile reader, and of everyday work, one a line: as they are typed, so nothing in them is escaped.
import { readFileSync } from "node:fs";
import type { PermissionRules } from "../../../src/permissions/index.js";
import { lines } from "./lines.js";

/** Only looks, in forms that are no longer understood: the line asks. */
export const NO_LONGER = read("no-longer.txt");
/** Must not run without a question when there are no rules. */
export const ASKED = read("asked.txt");
/** Denied by these rules, whatever else is allowed. */
export const DENIED = read("denied.txt");
export const DENY_RULES: PermissionRules = {
  allow: ["Bash", "Edit", "Read", "Write"],
  deny: [
    "Bash(rm:*)",
    "Bash(git push:*)",
    "Bash(curl:*)",
    "Bash(npm publish:*)",
    "Read(./.env)",
    "Read(./secrets/**)",
    "Edit(docs/**)",
    "Bash(docker run:*)",
    "Bash(kill -9:*)",
  ],
};
/** What a project's rules deny, reached by other ways: never allowed, whatever else is. */
export const DISGUISED = read("disguised.txt");
export const PROJECT_RULES: PermissionRules = {
  allow: ["Bash(npm run test:*)", "Bash(git:*)", "Bash(python3:*)", "Bash(docker compose:*)", "Edit(src/**)"],
  deny: [
    "Read(.env)",
    "Read(secrets/**)",
    "Bash(rm:*)",
    "Bash(curl:*)",
    "WebFetch(domain:evil.example)",
    "Edit(.github/**)",
  ],
};
/** Ways to run, write, read or connect through what looks like reading: never allowed without rules. */
export const HIDDEN = read("hidden.txt");
/** The same against rules that deny, while all else is allowed. */
export const HIDDEN_DENIED = read("hidden-denied.txt");
export const HIDDEN_RULES: PermissionRules = {
  allow: ["Bash", "Read", "Edit", "WebFetch"],
  deny: ["Read(.env)", "Bash(rm:*)", "WebFetch(domain:evil.example)"],
};
/** Edits that lead out of the workspace, or make something run: never allowed where edits are accepted. */
export const EDITS = read("edits.txt");
/** Runs without a question under these rules. */
export const EVERYDAY = read("everyday.txt");
export const EVERYDAY_RULES: PermissionRules = {
  allow: [
    "Bash(npm run *)",
    "Bash(npm test *)",
    "Bash(npm ci)",
    "Bash(npm install *)",
    "Bash(npx tsc *)",
    "Bash(npx eslint *)",
    "Bash(npx vitest *)",
    "Bash(npx prettier *)",
    "Bash(pnpm *)",
    "Bash(yarn *)",
    "Bash(node *)",
    "Bash(git add *)",
    "Bash(git commit *)",
    "Bash(git checkout *)",
    "Bash(git fetch *)",
    "Bash(git pull *)",
    "Bash(git stash *)",
    "Bash(git switch *)",
    "Bash(git merge *)",
    "Bash(git rebase *)",
    "Bash(pytest *)",
    "Bash(python -m pytest *)",
    "Bash(ruff *)",
    "Bash(mypy *)",
    "Bash(uv *)",
    "Bash(pip install *)",
    "Bash(poetry *)",
    "Bash(go *)",
    "Bash(gofmt *)",
    "Bash(golangci-lint *)",
    "Bash(cargo *)",
    "Bash(rustfmt *)",
    "Bash(make *)",
    "Bash(docker build *)",
    "Bash(docker compose *)",
    "Bash(docker ps *)",
    "Bash(docker logs *)",
    "Bash(gh pr *)",
    "Bash(gh issue *)",
    "Bash(gh run *)",
    "Bash(mkdir *)",
    "Bash(touch *)",
    "Bash(cp *)",
    "Bash(mv *)",
    "Bash(cross-env *)",
    "Bash(concurrently *)",
    "Bash(nodemon *)",
    "Bash(dotenv *)",
    "Edit(src/**)",
    "Edit(tests/**)",
    "Edit(docs/**)",
    "Edit(*.md)",
    "Edit(*.log)",
    "Edit(*.txt)",
    "Edit(package.json)",
  ],
  deny: [
    "Bash(git push:*)",
    "Bash(sudo:*)",
    "Bash(rm -rf /:*)",
    "Read(./.env)",
    "Read(./secrets/**)",
    "Bash(npm publish:*)",
  ],
};

/** What engineers and agents type to look around, without rules, and to build, test and commit, in `acceptEdits` under these rules. */
export const READING = read("reading.txt");
export const WORKING = read("working.txt");
export const WORKING_RULES: PermissionRules = {
  allow: [
    "Bash(npm:*)",
    "Bash(npx tsc:*)",
    "Bash(npx vitest:*)",
    "Bash(npx eslint:*)",
    "Bash(npx prettier:*)",
    "Bash(npx biome:*)",
    "Bash(pnpm:*)",
    "Bash(yarn:*)",
    "Bash(node:*)",
    "Bash(git:*)",
    "Bash(gh:*)",
    "Bash(make:*)",
    "Bash(pytest:*)",
    "Bash(python:*)",
    "Bash(python3:*)",
    "Bash(pip install:*)",
    "Bash(uv:*)",
    "Bash(ruff:*)",
    "Bash(mypy:*)",
    "Bash(cargo:*)",
    "Bash(go:*)",
    "Bash(gofmt:*)",
    "Bash(docker compose:*)",
    "Bash(docker build:*)",
    "Bash(docker logs:*)",
    "Bash(kubectl get:*)",
    "Edit(src/**)",
    "Edit(tests/**)",
    "Edit(docs/**)",
  ],
  deny: ["Bash(git push --force:*)", "Bash(sudo:*)", "Read(./.env)", "Read(./secrets/**)"],
};

/** The same in projects of many languages, to look around without rules, and to build under these. */
export const LOOKING = read("looking.txt");
export const BUILDING = read("building.txt");
/** Forms of the shell that agents type to look around: loops, tests, pipes, substitutions. */
export const TYPED = read("typed.txt");
/** Beside those: what looks like them and does more, or what people want to be asked about. */
export const TEMPTING = read("tempting.txt");
/** Takes the machine, its network or its accounts down, or loses what nobody can bring back: asked even where all is allowed. */
export const DESTROYING = read("destroying.txt");
/** Beside those: what a project needs every day, which runs there. */
export const ORDINARY = read("ordinary.txt");
const BUILDERS = `npm:*,npx tsc:*,npx vitest:*,npx eslint:*,npx prettier:*,npx biome:*,npx nx:*,npx turbo:*,npx lerna:*,pnpm:*,yarn:*,node:*,bun:*,deno:*,git:*,gh:*,make:*,pytest:*,python:*,python3:*,pip:*,pip install:*,uv:*,ruff:*,mypy:*,black:*,isort:*,tox:*,nox:*,poetry:*,cargo:*,go:*,gofmt:*,goimports:*,golangci-lint:*,docker:*,docker compose:*,kubectl:*,terraform:*,helm:*,./gradlew:*,gradle:*,mvn:*,cmake:*,ctest:*,ninja:*,meson:*,gcc:*,g++:*,clang-format:*,bundle:*,rails:*,bin/rails:*,ruby:*,composer:*,php:*,vendor/bin/phpunit:*,./vendor/bin/phpstan:*,dotnet:*,tsc:*,eslint:*,jest:*,ts-node:*,tsx:*,shfmt:*,pre-commit:*,hatch:*,pipenv:*,alembic:*,flask:*,celery:*,sqlite3:*,psql:*,redis-cli:*,duckdb:*,curl:*,.venv/bin/pytest:*,markdownlint:*,./build/t:*,source .venv/bin/activate,. .venv/bin/activate,kill:*,rm -f build.log,rm -rf:*`;
export const BUILDING_RULES: PermissionRules = {
  allow: [
    ...BUILDERS.split(/,\s*/).map((command) => `Bash(${command})`),
    "Edit(src/**)",
    "Edit(tests/**)",
    "Edit(docs/**)",
  ],
  deny: WORKING_RULES.deny!,
};

/** A line end inside of a command is written as `⏎`. */
function read(name: string): readonly string[] {
  return lines(readFileSync(new URL(name, import.meta.url), "utf8")).map((line) => line.replaceAll("⏎", "\n"));
}
