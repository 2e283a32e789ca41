import { expect, test } from "vitest";
import { SeenLines } from "../../src/workspace/seen-lines.js";

const page = (from: number, to: number, isLast = false) => ({ from, to, isLast, cut: [] });

test("a file is seen when its pages join, in any order", () => {
  const seen = new SeenLines();
  expect(seen.unseen).toEqual({ line: 1, column: 1 });

  seen.add(page(11, 20, true));
  expect(seen.unseen).toEqual({ line: 1, column: 1 });
  seen.add(page(1, 5));
  expect(seen.unseen).toEqual({ line: 6, column: 1 });
  seen.add(page(4, 10));

  expect(seen.unseen).toBeNull();
});

test("without its last line nobody knows whether a file was seen", () => {
  const seen = new SeenLines();
  seen.add(page(1, 10));

  expect(seen.unseen).toEqual({ line: 11, column: 1 });
});

test("a line that was cut is seen once its pieces reach its end, without a gap", () => {
  const seen = new SeenLines();
  const piece = (fromColumn: number, toColumn: number, isEnd: boolean) => ({
    from: 2,
    to: 2,
    isLast: true,
    cut: [{ line: 2, fromColumn, toColumn, isEnd }],
  });
  seen.add(page(1, 1));
  seen.add(piece(1, 100, false));
  expect(seen.unseen).toEqual({ line: 2, column: 101 });

  seen.add(piece(200, 300, true));
  expect(seen.unseen).toEqual({ line: 2, column: 101 });
  seen.add(piece(101, 300, true));

  expect(seen.unseen).toBeNull();
});
