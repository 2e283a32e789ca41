// Starts that come again and again. DBOS keeps them and says when one is due; what is due is a start like any other.
import { isLostConnection } from "../sessions/postgres/lost-connection.js";
import { queueName } from "./attempt-queue.js";
import { APPLICATION } from "./dbos.js";
import { wrongCron } from "./fleet-errors.js";
import { checkSchedule, checkScheduleName } from "./fleet-options.js";
import type { FleetParts } from "./fleet-parts.js";
import type { FleetRuns } from "./fleet-runs.js";
import type { FleetSchedule } from "./fleet-types.js";
import { SCHEDULED } from "./worker.js";

export class Schedules {
  constructor(
    private readonly parts: FleetParts,
    private readonly runs: FleetRuns,
  ) {}

  /** A schedule of this name is replaced. */
  async set(name: string, schedule: FleetSchedule): Promise<void> {
    const { parts } = this;
    checkSchedule(name, schedule, Object.keys(parts.queues));
    const { cron, timeZone = "UTC" } = schedule;
    const { dbos } = await parts.engine();
    const one = {
      scheduleName: queueName(name),
      workflowName: SCHEDULED,
      schedule: cron,
      context: JSON.stringify({ name, schedule }),
      cronTimezone: timeZone,
    };
    await parts.writing("The schedule could not be kept", () =>
      parts.database
        .retry(() => dbos.client.applySchedules([one]))
        .catch((error: unknown) => {
          // DBOS's complaints about the fields of cron have no code; errors of the database have one.
          const isOfCron = error instanceof Error && !("code" in error) && !isLostConnection(error);
          throw isOfCron ? wrongCron(cron, error) : error;
        }),
    );
  }

  async remove(name: string): Promise<void> {
    checkScheduleName("fleet.unschedule()", name);
    const { dbos } = await this.parts.engine();
    await this.parts.writing("The schedule could not be removed", () =>
      this.parts.database.retry(() => dbos.client.deleteSchedule(queueName(name))),
    );
  }

  /** Starts what is due. The key makes it one run, however often DBOS calls for this time. */
  async start(context: string, at: Date): Promise<void> {
    const { name, schedule } = JSON.parse(context) as { readonly name: string; readonly schedule: FleetSchedule };
    const { cron: _, timeZone: __, prompt, ...options } = schedule;
    await this.runs.start(prompt, {
      ...options,
      key: `${APPLICATION}.schedule/${name}/${new Date(at).toISOString()}`,
    });
  }
}
