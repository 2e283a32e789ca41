import type { EventOf } from "loopwright";
import type { SchedulerEvent, SchedulerReport, SchedulerState } from "loopwright/scheduler";
import { paintFor } from "./paint.js";
import { subjectOf } from "./tool-summary.js";

/** What a person calls the states of a plan. */
const PHASES: { readonly [State in SchedulerState]?: string } = {
  "loading-skill": "Choosing a skill",
  decomposing: "Planning",
  dispatching: "Execution",
  verifying: "Verification",
  merging: "Merging",
};

/** Shows a plan to a person: each phase as it begins, each task as it moves on, and the report. */
export class PlanScreen {
  readonly #paint;

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.#paint = paintFor(stream);
  }

  show(event: SchedulerEvent): void {
    switch (event.type) {
      case "state": {
        const phase = PHASES[event.state];
        if (phase) this.#line(`\n    ${this.#paint("bold", phase)}`);
        return;
      }
      case "skill-selected":
        this.#line(`    ${event.name}  ${this.#paint("dim", event.reasons.join("; "))}`);
        return;
      case "plan":
        for (const { id, title, tool, subagent, dependsOn } of event.plan.tasks) {
          const after = dependsOn.length > 0 ? `after ${dependsOn.join(", ")}` : "";
          this.#line(
            `    ${id.padEnd(12)}${title}  ${this.#paint("dim", [tool?.name ?? subagent ?? "agent", after].join(" "))}`,
          );
        }
        return;
      case "plan-refused":
        this.#line(`    ${this.#paint("magenta", event.issues.join("\n    "))}`);
        return;
      case "task-state": {
        const style = event.status === "done" ? "green" : event.status === "failed" ? "red" : "dim";
        const reason = event.reason ? `  ${event.reason.split("\n")[0]}` : "";
        this.#line(`    ${event.taskId.padEnd(12)}${this.#paint(style, event.status)}${this.#paint("dim", reason)}`);
      }
    }
  }

  /** A decision of the gate about one call. */
  showDecision({ tool, input, decision, by }: EventOf<"permission-decision">): void {
    const subject = subjectOf({ id: "", name: tool, arguments: input });
    const who = by ? ` by ${by}` : "";
    this.#line(`    ${this.#paint("dim", `permission  ${tool} ${subject}: ${decision.behavior}${who}`)}`);
  }

  close(report: SchedulerReport): void {
    this.#line(`\n    ${this.#paint("bold", "Final report")}\n`);
    this.#line(report.toMarkdown());
  }

  #line(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: models and files do not get to move the cursor
    const shown = text.replace(/[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g, "");
    if (this.stream.writable) this.stream.write(`${shown}\n`);
  }
}
