/** Tells those who can set it right that a schedule starts nothing any more. */
import type { Transaction } from "../../../platform/db/database.ts";
import { tellMaintainers, type MirrorAlertDeps } from "../mirrors/alerts.ts";

export interface AlertedSchedule {
  id: string;
  repository_id: string;
  name: string;
}

export interface ScheduleAlerts {
  failing(
    tx: Transaction,
    schedule: AlertedSchedule,
    outage: { failures: number; error: string },
  ): Promise<void>;
  turnedOff(tx: Transaction, schedule: AlertedSchedule): Promise<void>;
}

export function createScheduleAlerts(deps: MirrorAlertDeps): ScheduleAlerts {
  const of = ({ id, repository_id: repositoryId }: AlertedSchedule) => ({
    repositoryId,
    page: `settings/schedules/${id}`,
  });
  return {
    failing: (tx, schedule, { failures, error }) =>
      tellMaintainers(deps, tx, {
        ...of(schedule),
        notice: ({ name, address }) => ({
          kind: "schedule_failing",
          subject: `The schedule ${schedule.name} of ${name} starts nothing`,
          paragraphs: [
            `the schedule ${schedule.name} of ${name} could not start a pipeline ${failures} times in a row. ${error}`,
            `It goes on at its times. You will get no more mails until it has worked again. The schedule: ${address}`,
          ],
        }),
      }),
    turnedOff: (tx, schedule) =>
      tellMaintainers(deps, tx, {
        ...of(schedule),
        notice: ({ name, address }) => ({
          kind: "schedule_turned_off",
          subject: `The schedule ${schedule.name} of ${name} was turned off`,
          paragraphs: [
            `the schedule ${schedule.name} of ${name} was turned off: its owner may not run pipelines there any more.`,
            `Whoever turns it on again becomes its owner: ${address}`,
          ],
        }),
      }),
  };
}
