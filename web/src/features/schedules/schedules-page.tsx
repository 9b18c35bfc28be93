/** All schedules of a repository. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/schedules.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { RunResult } from "./run-result.tsx";
import { ScheduleFields, scheduleOf } from "./schedule-fields.tsx";

export function SchedulesPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["schedules", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/schedules", { params: { path, query } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead} actions={archived ? null : <AddSchedule />}>
      <p>
        <a href="/docs/pipelines/schedules">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.name,
            wide: true,
            cell: ({ id, name }) => <Link to={`/${fullName}/settings/schedules/${id}`}>{name}</Link>,
          },
          {
            title: text.times,
            cell: ({ cron, timezone }) => (
              <>
                <code>{cron}</code> {timezone}
              </>
            ),
          },
          { title: text.next, cell: (schedule) => <Next schedule={schedule} /> },
          {
            title: text.last,
            cell: ({ last_runs: [last] }) =>
              last ? (
                <>
                  <RunResult run={last} /> {last.error}
                </>
              ) : (
                text.never
              ),
          },
          { title: text.from, cell: ({ source, pipeline }) => (source === "file" ? pipeline : text.byHand) },
        ]}
      />
    </Page>
  );
}

function Next({
  schedule: {
    enabled,
    next_runs: [next],
  },
}: {
  schedule: Schemas["Schedule"];
}) {
  if (next !== undefined) return <Time at={next} />;
  return enabled ? text.never : text.off;
}

function AddSchedule() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      kind="primary"
      said={text.added}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/schedules", { params: { path }, body: scheduleOf(values) })
      }
    >
      {(problems) => <ScheduleFields problems={problems} />}
    </FormButton>
  );
}
