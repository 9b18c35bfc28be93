/** What became of a schedule's times, newest first. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/schedules.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { RunResult } from "./run-result.tsx";
import { ZonedTime } from "./zoned-time.tsx";

export function ScheduleHistory({ schedule }: { schedule: Schemas["Schedule"] }) {
  const { id, timezone, last_runs: runs } = schedule;
  const path = { ...useRepositoryPath(), id };
  const version = runs.map((run) => `${run.created_at} ${run.pipeline?.status}`).join();
  const pages = usePages(["schedule-history", id, version], (query) =>
    api.GET("/repos/{owner}/{repo}/schedules/{id}/runs", { params: { path, query } }),
  );
  return (
    <Section title={text.history} lead={text.timesIn(timezone)}>
      <PagedTable
        pages={pages}
        caption={text.history}
        keyOf={({ created_at: at, pipeline }) => `${at} ${pipeline?.id}`}
        empty={<EmptyState title={text.noHistory}>{text.noHistoryHint}</EmptyState>}
        columns={[
          { title: text.time, cell: ({ due_at: at }) => <ZonedTime at={at} zone={timezone} /> },
          { title: text.result, wide: true, cell: (run) => <Result run={run} /> },
          { title: text.cause, cell: ({ cause }) => text.causes[cause] },
          { title: text.by, cell: ({ user }) => user ?? text.bySchedule },
        ]}
      />
    </Section>
  );
}

function Result({ run }: { run: Schemas["ScheduleRun"] }) {
  return (
    <>
      <RunResult run={run} /> {run.error}
      {run.missed > 0 ? <div>{text.missedBefore(run.missed)}</div> : null}
    </>
  );
}
