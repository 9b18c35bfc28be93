/** One schedule: how it is, its next and last runs, what can be done with it, and its settings. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/schedules.ts";
import { Facts } from "../../ui/facts.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleFields, scheduleOf } from "./schedule-fields.tsx";
import { ScheduleHistory } from "./schedule-history.tsx";
import { ZonedTime } from "./zoned-time.tsx";

type Schedule = Schemas["Schedule"];

const lookEveryMs = 5_000;

export function SchedulePage() {
  const { id = "" } = useParams();
  const path = { ...useRepositoryPath(), id };
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/schedules/{id}",
    { params: { path } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return <QueryView query={query}>{(schedule) => <ShownSchedule schedule={schedule} />}</QueryView>;
}

function ShownSchedule({ schedule }: { schedule: Schedule }) {
  const { full_name: fullName, archived } = useRepository();
  const actions = <ScheduleActions schedule={schedule} rests={archived} />;
  return (
    <Page title={schedule.name} within={fullName} actions={actions}>
      <Standing schedule={schedule} />
      <Facts facts={factsOf(schedule)} />
      <Section title={text.nextRuns} lead={text.timesIn(schedule.timezone)}>
        <NextRuns schedule={schedule} />
      </Section>
      <ScheduleHistory schedule={schedule} />
      {archived ? null : (
        <Section title={text.settings}>
          {schedule.source === "file" ? (
            <InFile schedule={schedule} />
          ) : (
            <SettingsForm key={schedule.updated_at} schedule={schedule} />
          )}
        </Section>
      )}
    </Page>
  );
}

function Standing({ schedule }: { schedule: Schedule }) {
  const { enabled, disabled_reason: reason, failures, last_runs: runs } = schedule;
  if (!enabled)
    return (
      <Notice tone="warn" title={text.offTitle}>
        {reason === null ? text.offHint : text.reasons[reason]}
      </Notice>
    );
  if (failures === 0) return null;
  return (
    <Notice tone="bad" title={text.failingTitle}>
      {runs.find(({ error }) => error !== null)?.error}
    </Notice>
  );
}

function factsOf(schedule: Schedule) {
  const { cron, timezone, failures, enabled, ref, pipeline, if_missed: ifMissed } = schedule;
  const pairs = (given: object) => Object.entries(given).map(([name, value]) => `${name}=${String(value)}`);
  const [inputs, variables] = [pairs(schedule.inputs), pairs(schedule.variables)];
  const state = failures > 0 ? text.failing(failures) : enabled ? text.on : text.off;
  return [
    { name: text.state, value: state },
    {
      name: text.times,
      value: (
        <>
          <code>{cron}</code> {timezone}
        </>
      ),
    },
    { name: text.ref, value: ref ?? text.defaultBranch },
    { name: text.pipeline, value: pipeline ?? text.onlyFile },
    { name: text.missedTimes, value: text.ifMissedChoices[ifMissed] },
    { name: text.owner, value: schedule.owner ?? text.nobody },
    ...(inputs.length > 0 ? [{ name: text.inputs, value: <code>{inputs.join(" ")}</code> }] : []),
    ...(variables.length > 0 ? [{ name: text.variables, value: <code>{variables.join(" ")}</code> }] : []),
  ];
}

function NextRuns({ schedule: { next_runs: runs, timezone } }: { schedule: Schedule }) {
  if (runs.length === 0) return <p>{text.noNextRuns}</p>;
  return (
    <ol>
      {runs.map((time) => (
        <li key={time}>
          <ZonedTime at={time} zone={timezone} />
        </li>
      ))}
    </ol>
  );
}

function InFile({ schedule: { pipeline } }: { schedule: Schedule }) {
  const repository = useRepository();
  const path = pipeline ?? "";
  return (
    <p>
      {text.inFile}{" "}
      <Link to={fileAddress(repository, "blob", { ref: repository.default_branch, path })}>
        <code>{path}</code>
      </Link>
    </p>
  );
}

function SettingsForm({ schedule }: { schedule: Schedule }) {
  const path = { ...useRepositoryPath(), id: schedule.id };
  const save = useChange(
    (values: FormValues) =>
      api.PATCH("/repos/{owner}/{repo}/schedules/{id}", { params: { path }, body: scheduleOf(values) }),
    { said: text.saved },
  );
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <ScheduleFields schedule={schedule} problems={fieldProblems(save.error)} />
    </Form>
  );
}
