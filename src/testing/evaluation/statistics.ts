// Means and rates with their intervals. Runs of one case resemble each other, so cases are what is counted: twenty runs of
// one easy case say little about the next case. For a single case, its runs are counted.
import type { Estimate } from "./evaluation.js";

/** Values of each case, one for each of its runs that counts. Cases without any are left out by the caller. */
type Groups = readonly (readonly number[])[];

/**
 * A share with the interval of Wilson, which holds for few runs and near 0 and 1, too. With repeats the number of runs is
 * reduced by the design effect: how much more the cases differ than independent runs would.
 */
export function estimateRate(groups: Groups, confidence: number): Estimate {
  const values = groups.flat();
  const count = values.length;
  const rate = mean(values);
  const effective = effectiveCount(groups, rate);
  const z = normalQuantile(confidence);
  const spread = z ** 2 / effective;
  const middle = (rate + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((rate * (1 - rate)) / effective + spread / (4 * effective))) / (1 + spread);
  const isReduced = effective < count - 1e-9;
  return {
    value: rate,
    low: Math.max(0, Math.min(middle - half, rate)),
    high: Math.min(1, Math.max(middle + half, rate)),
    method: isReduced ? `Wilson, ${count} runs counted as ${formatCount(effective)}` : "Wilson",
  };
}

/** A mean with Student's interval, over the means of cases, or over the runs of a single case. */
export function estimateMean(groups: Groups, confidence: number): Estimate {
  const value = mean(groups.flat());
  const [only] = groups;
  const units = groups.length === 1 && only ? only : groups.map(mean);
  const method = groups.length === 1 ? "Student's t over runs" : "Student's t over cases";
  if (units.length < 2) return { value, low: null, high: null, method: "too few runs for an interval" };
  const error = Math.sqrt(variance(units) / units.length);
  const half = studentQuantile(confidence, units.length - 1) * error;
  return { value, low: value - half, high: value + half, method };
}

/** Between the number of cases and the number of runs. */
function effectiveCount(groups: Groups, rate: number): number {
  const count = groups.flat().length;
  if (groups.length < 2 || count === groups.length) return count;
  const independent = (rate * (1 - rate)) / count;
  // All passed, or none: nothing shows how much cases differ, so each counts once.
  if (independent === 0) return groups.length;
  const observed = variance(groups.map(mean)) / groups.length;
  return Math.min(count, Math.max(groups.length, (count * independent) / observed));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

function formatCount(count: number): string {
  return String(Number(count.toFixed(1)));
}

/** The number of standard errors to each side of a normal mean. */
function normalQuantile(confidence: number): number {
  const density = (x: number) => Math.sqrt(2 / Math.PI) * Math.exp((-x * x) / 2);
  return solveRising((z) => integral(density, z), confidence);
}

/** The same for few values: the probability that |t| is at most √freedom · tan(angle) is a share of an integral of cosines. */
export function studentQuantile(confidence: number, freedom: number): number {
  const power = (angle: number) => Math.cos(angle) ** (freedom - 1);
  const whole = integral(power, Math.PI / 2);
  return solveRising((t) => integral(power, Math.atan(t / Math.sqrt(freedom))) / whole, confidence);
}

/** From 0, by Simpson's rule. */
function integral(density: (x: number) => number, to: number, steps = 1_000): number {
  const width = to / steps;
  let sum = density(0) + density(to);
  for (let step = 1; step < steps; step++) sum += density(step * width) * (step % 2 === 0 ? 2 : 4);
  return (sum * width) / 3;
}

/** The point where a rising function reaches a value, by bisection. */
function solveRising(rising: (x: number) => number, value: number): number {
  let [low, high] = [0, 1];
  while (rising(high) < value && high < 1e9) high *= 2;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return high;
}
