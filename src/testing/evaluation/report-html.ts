// The report as one page. It needs no network and runs no script; whatever came from a model, a tool or a case is escaped.

import { escapeHtml } from "../../text/escape-html.js";
import type { CaseResult, EvaluationReport, ScoreSummary } from "./evaluation.js";
import {
  formatDuration,
  formatInterval,
  formatScore,
  isNoteworthy,
  remarks,
  shownText,
  totals,
} from "./report-format.js";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bar: #3b82f6; --bad: #dc2626; --good: #16a34a; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; } dt { opacity: .7; font-size: .85em; } dd { margin: 0; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; } summary b { font-weight: 600; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .6rem; border-radius: .4rem; }
.bad { color: var(--bad); } .good { color: var(--good); }
.scale { position: relative; width: 12rem; height: .9rem; background: var(--soft); border-radius: .2rem; }
.scale i { position: absolute; top: .35rem; height: .2rem; background: var(--bar); }
.scale b { position: absolute; top: 0; width: .2rem; height: .9rem; background: var(--bar); }
`;

/** A self-contained page: scores with their intervals, cases, and each run with what was said of it. */
export function reportHtml(report: EvaluationReport): string {
  const { scores, cases, results, confidence, isAborted } = report;
  const percent = Number((confidence * 100).toPrecision(3));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation</title>
<style>${STYLE}</style>
<h1>Evaluation</h1>
${isAborted ? '<p class="bad">The evaluation was aborted: some runs are missing.</p>' : ""}
<dl>${totals(report)
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join("")}</dl>
<h2>Scores</h2>
<table><tr><th>score<th>value<th>${percent}% interval<th><th>method<th>runs<th>unscored</tr>
${scores.map(scoreRow).join("\n")}
</table>
<h2>Cases</h2>
<table><tr><th>case${scores.map(({ scorer }) => `<th>${escapeHtml(scorer)}`).join("")}<th>failed</tr>
${cases
  .map(
    (each) =>
      `<tr><td>${escapeHtml(each.name)}${scores
        .map(({ scorer, kind }) => `<td class="n">${formatScore(each.scores[scorer] ?? null, kind)}`)
        .join("")}<td class="n">${each.failed} of ${each.runs}</tr>`,
  )
  .join("\n")}
</table>
<h2>Runs</h2>
${results.map(runDetails).join("\n")}
</html>
`;
}

function scoreRow(score: ScoreSummary): string {
  const { scorer, kind, value, method, count, unscored } = score;
  const cells = [formatScore(value, kind), formatInterval(score)].map((text) => `<td class="n">${text}`).join("");
  return `<tr><td>${escapeHtml(scorer)}${cells}<td>${scale(score)}<td>${escapeHtml(method)}<td class="n">${count}<td class="n">${unscored}</tr>`;
}

/** A rate and its interval between 0 and 1, drawn. */
function scale({ kind, value, low, high }: ScoreSummary): string {
  if (kind !== "rate" || low === null || high === null) return "";
  const at = (share: number) => `${(share * 100).toFixed(1)}%`;
  return `<div class="scale"><i style="left:${at(low)};width:${at(high - low)}"></i><b style="left:${at(value)}"></b></div>`;
}

function runDetails(result: CaseResult): string {
  const { name, repeat, outcome, run, scores } = result;
  const isBad = isNoteworthy(result);
  const verdict = outcome === "scored" ? (isBad ? "did not pass" : "passed") : outcome;
  const calls = run?.toolCalls.map((call) => `${call.name}${call.isError ? " (error)" : ""}`) ?? [];
  const facts = [
    ...(run ? [`${run.status}, ${run.turns} turns, ${formatDuration(run.durationMs)}`] : []),
    ...scores.map(({ scorer, value }) => `${scorer} ${value === null ? "–" : Number(value.toPrecision(3))}`),
    ...(calls.length > 0 ? [`tools: ${calls.join(", ")}`] : []),
  ];
  return `<details${isBad ? " open" : ""}><summary><b>${escapeHtml(name)}</b> run ${repeat} <span class="${isBad || outcome !== "scored" ? "bad" : "good"}">${verdict}</span></summary>
<p>${escapeHtml(facts.join(" · "))}</p>
${remarks(result)
  .map((remark) => `<p class="bad">${escapeHtml(remark)}</p>`)
  .join("")}
${run ? `<pre>${escapeHtml(shownText(result))}</pre>` : ""}</details>`;
}
