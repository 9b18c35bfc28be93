/** What the instance does by itself: when it did it last, how that ended, when it does it next. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text as work } from "../../text/background-work.ts";
import { text } from "../../text/upkeep-schedules.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { workPageOf } from "../administration/background-work-words.tsx";
import { Table } from "../../ui/table.tsx";
import { formatInterval } from "../../ui/interval.ts";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/use-action.ts";

type Schedule = Schemas["UpkeepSchedule"];
type Result = NonNullable<NonNullable<Schedule["last_run"]>["state"]>;

const lookEveryMs = 3_000;
const tones = {
  running: "info",
  completed: "good",
  failed: "bad",
  timed_out: "bad",
  cancelled: "plain",
  terminated: "bad",
} as const satisfies Record<Result, string>;

/** Stands below the list of background work. */
export function SchedulesSection() {
  const schedules = $api.useQuery(
    "get",
    "/admin/schedules",
    {},
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return (
    <Section id="schedules" title={text.title} lead={text.lead}>
      <QueryView query={schedules}>{(found) => <Schedules schedules={found.schedules} />}</QueryView>
    </Section>
  );
}

function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  if (schedules.length === 0) return <EmptyState title={text.none}>{text.noneHint}</EmptyState>;
  return (
    <Table
      dense
      caption={text.title}
      rows={schedules}
      keyOf={({ name }) => name}
      columns={[
        { title: text.name, wide: true, clear: true, cell: ({ name }) => <span>{text.does[name]}</span> },
        { title: text.every, cell: ({ every_seconds: every }) => formatInterval(every) },
        {
          title: text.lastRun,
          cell: ({ last_run: last }) => (last === null ? text.never : <Time at={last.started_at} />),
        },
        { title: text.result, clear: true, cell: (schedule) => <LastResult schedule={schedule} /> },
        { title: text.nextRun, cell: (schedule) => <NextRun schedule={schedule} /> },
        { title: "", label: text.actions, cell: (schedule) => <Actions schedule={schedule} /> },
      ]}
    />
  );
}

/** Leads to its background work. */
function LastResult({ schedule: { last_run: last, running } }: { schedule: Schedule }) {
  if (last === null) return null;
  const state = running ? "running" : last.state;
  if (state === null) return text.forgotten;
  return (
    <Link to={workPageOf(last.work_url)}>
      <Badge tone={tones[state]}>{work.states[state]}</Badge>
    </Link>
  );
}

function NextRun({ schedule: { paused, note, next_run_at: next } }: { schedule: Schedule }) {
  if (paused) return <span>{note ?? text.paused}</span>;
  return next === null ? null : <Time at={next} />;
}

function Actions({ schedule: { name, paused } }: { schedule: Schedule }) {
  const params = { path: { schedule: name } };
  const run = useAction(() => api.POST("/admin/schedules/{schedule}/run", { params }), { said: text.runs });
  const pause = useAction(
    () => api.PATCH("/admin/schedules/{schedule}", { params, body: { paused: !paused } }),
    { said: text.saved },
  );
  const does = text.does[name];
  return (
    <RowActions>
      <Button aria-label={text.runNowOf(does)} disabled={run.isPending} onClick={run.start}>
        {text.runNow}
      </Button>
      <Button
        aria-label={paused ? text.resumeOf(does) : text.pauseOf(does)}
        disabled={pause.isPending}
        onClick={pause.start}
      >
        {paused ? text.resume : text.pause}
      </Button>
    </RowActions>
  );
}
