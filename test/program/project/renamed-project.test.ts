import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeState, projectStateOf } from "../../../src/program/project/project-state.js";
import { directoryWith } from "../kit.js";

function places() {
  const base = directoryWith();
  const env = { LOOPWRIGHT_HOME: directoryWith() };
  const at = (name: string) => join(base, name);
  mkdirSync(at("first"));
  const open = (name: string) => makeState(projectStateOf(at(name), env));
  writeFileSync(join(open("first").dir, "mark"), "kept");
  const hasState = (name: string) => existsSync(join(projectStateOf(at(name), env).dir, "mark"));
  return { at, open, hasState };
}

test("a project that was renamed keeps its state, as often as it is renamed", () => {
  const { at, open, hasState } = places();

  renameSync(at("first"), at("second"));
  expect(hasState("second")).toBe(true);
  open("second");
  renameSync(at("second"), at("third"));

  expect(hasState("third")).toBe(true);
});

test("the old name begins anew, with another directory", () => {
  const { at, open, hasState } = places();

  renameSync(at("first"), at("second"));
  open("second");
  mkdirSync(at("first"));
  open("first");

  expect([hasState("second"), hasState("first")]).toEqual([true, false]);
});

test("a copy is another project, and one that was made again in its place keeps the state of the place", () => {
  const { at, hasState } = places();

  cpSync(at("first"), at("copy"), { recursive: true });
  expect(hasState("copy")).toBe(false);
  rmSync(at("first"), { recursive: true });
  mkdirSync(at("first"));

  expect(hasState("first")).toBe(true);
});

test("a note that is damaged changes nothing", () => {
  const { at, open, hasState } = places();
  writeFileSync(join(open("first").dir, "project.json"), "{ nonsense");

  renameSync(at("first"), at("second"));

  expect(hasState("second")).toBe(false);
});
