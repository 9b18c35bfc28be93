/** Schedules as the REST interface shows them. */
import { timesAfter } from "@forgeline/compiler/cron.ts";
import type { Schedule, ScheduleRun } from "@forgeline/schemas/schedules/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { runAddress } from "../../pipelines/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LastRun, ScheduleRunRow } from "./schedule-runs.store.ts";
import type { ScheduleRow } from "./schedules.store.ts";

const shownRuns = 5;

export interface ScheduleView {
  repository: RepositoryRef;
  addresses: Addresses;
}

const pathOf = ({ owner, name }: RepositoryRef) => [owner, name].map(encodeURIComponent).join("/");

export function presentSchedule(row: ScheduleRow, view: ScheduleView): Schedule {
  const { repository, addresses } = view;
  const path = pathOf(repository);
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    cron: row.cron,
    timezone: row.timezone,
    ref: row.ref,
    pipeline: row.file,
    inputs: row.inputs,
    variables: row.variables,
    if_missed: row.if_missed,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    owner: row.owner,
    failures: row.failures,
    next_runs: nextRuns(row, repository),
    last_runs: row.last_runs.map((run) => presentScheduleRun(run, view)),
    url: `${addresses.baseUrl}/repos/${path}/schedules/${row.id}`,
    web_url: `${addresses.webUrl}/${path}/settings/schedules/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The first may be due already. */
function nextRuns({ next_at: next, cron, timezone }: ScheduleRow, { archived }: RepositoryRef): string[] {
  if (next === null || archived) return [];
  const first = next.getTime();
  const after = Math.max(first, Date.now());
  return [first, ...timesAfter({ cron, timezone }, after, shownRuns - 1)].map((time) =>
    new Date(time).toISOString(),
  );
}

export function presentScheduleRun(
  row: LastRun | ScheduleRunRow,
  { repository, addresses }: ScheduleView,
): ScheduleRun {
  const { pipeline_id: id, number, pipeline_status: status } = row;
  const pageOf = (run: number) => runAddress(addresses.webUrl, pathOf(repository), run);
  return {
    cause: row.cause,
    status: row.status,
    due_at: new Date(row.due_at).toISOString(),
    missed: row.missed,
    error: row.error,
    user: row.username,
    pipeline:
      id === null || number === null || status === null
        ? null
        : { id, number, status, web_url: pageOf(number) },
    created_at: new Date(row.created_at).toISOString(),
  };
}
