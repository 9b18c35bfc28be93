/** One piece of background work: what it waits for, why it failed, and what can be done. */
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/background-work.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { formatSeconds, Time } from "../../ui/time.tsx";
import { StepState, stepWords, Subject, WorkState } from "./background-work-words.tsx";
import styles from "./background-work.module.css";

type Work = Schemas["WorkDetail"];

const lookEveryMs = 3_000;

export function BackgroundWorkItemPage() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const execution = query.get("execution");
  const work = $api.useQuery(
    "get",
    "/admin/work/{id}",
    { params: { path: { id }, query: execution === null ? {} : { execution } } },
    {
      refetchInterval: ({ state: { data, error } }) =>
        pollUnlessRefused(error, isSettled(data) ? false : lookEveryMs),
    },
  );
  return <QueryView query={work}>{(found) => <WorkItem work={found} />}</QueryView>;
}

function isSettled(work: Work | undefined): boolean {
  return work !== undefined && (work.superseded || work.state === "completed");
}

function WorkItem({ work }: { work: Work }) {
  const { kind, waiting_for: steps, duration_ms: ms } = work;
  return (
    <Page title={text.kinds[kind]} within={administration.administration} actions={<Actions work={work} />}>
      {work.superseded ? (
        <Notice title={text.supersededTitle}>
          {text.supersededHint} <Link to="?">{text.newest}</Link>
        </Notice>
      ) : null}
      <Facts
        facts={[
          { name: text.state, value: <WorkState work={work} /> },
          { name: text.about, value: <Subject work={work} /> },
          { name: text.started, value: <Time at={work.started_at} /> },
          { name: text.ended, value: work.ended_at === null ? "–" : <Time at={work.ended_at} /> },
          { name: text.took, value: formatSeconds(ms === null ? null : ms / 1000) },
          { name: text.id, value: <code>{work.id}</code> },
          { name: text.execution, value: <code>{work.execution}</code> },
        ]}
      />
      {work.failure.length > 0 ? (
        <Section title={text.why}>
          <Failures failures={work.failure} />
        </Section>
      ) : null}
      {work.state === "running" ? (
        <Section title={text.waitsFor} lead={steps.length === 0 ? text.waitsOutside : undefined}>
          {steps.length === 0 ? null : <Steps steps={steps} />}
        </Section>
      ) : null}
      {steps.map((step) =>
        step.failure.length === 0 ? null : (
          <Section key={`${step.name} ${step.repository ?? ""}`} title={text.lastFailure(stepWords(step))}>
            <Failures failures={step.failure} />
          </Section>
        ),
      )}
    </Page>
  );
}

function Steps({ steps }: { steps: Work["waiting_for"] }) {
  return (
    <Table
      caption={text.waitsFor}
      rows={steps}
      keyOf={(step) => `${step.name} ${step.since} ${step.repository ?? ""}`}
      columns={[
        { title: text.step, wide: true, cell: (step) => <span>{stepWords(step)}</span> },
        { title: text.state, cell: (step) => <StepState step={step} /> },
        {
          title: text.attempt,
          align: "end",
          cell: ({ attempt, attempts_allowed: allowed }) =>
            allowed === null ? attempt : text.attemptOf(attempt, allowed),
        },
        { title: text.since, cell: ({ since }) => <Time at={since} /> },
        {
          title: text.nextAttempt,
          cell: ({ next_attempt_at: at }) => (at === null ? "–" : <Time at={at} />),
        },
      ]}
    />
  );
}

function Failures({ failures }: { failures: Work["failure"] }) {
  return (
    <ol className={styles.failures}>
      {failures.map(({ type, message }, place) => (
        <li key={`${place} ${type}`}>
          <strong>{text.failureTypes[type] ?? type}</strong>
          <p className={styles.message}>{message || text.noMessage}</p>
        </li>
      ))}
    </ol>
  );
}

function Actions({ work }: { work: Work }) {
  const { id, kind, may_retry: retry } = work;
  const navigate = useNavigate();
  const params = { path: { id } };
  // What has been begun again is another execution: the newest is shown from now on.
  const onDone = () => navigate("?", { replace: true });
  const cancel = (force: boolean) => () => api.POST("/admin/work/{id}/cancel", { params, body: { force } });
  return (
    <>
      {retry === null ? null : (
        <ConfirmButton
          label={retry === "now" ? text.retryNow : text.retryAgain}
          title={retry === "now" ? text.retryNowTitle : text.retryAgainTitle}
          kind="normal"
          said={text.retried}
          onDone={onDone}
          run={() => api.POST("/admin/work/{id}/retry", { params })}
        >
          <p>{retry === "now" ? text.retryNowHint : text.retryAgainHints[kind]}</p>
        </ConfirmButton>
      )}
      {work.may_cancel ? (
        <ConfirmButton
          label={text.cancel}
          title={text.cancelTitle}
          submit={text.cancel}
          said={text.cancelled}
          onDone={onDone}
          run={cancel(false)}
        >
          <p>{text.cancelHints[kind]}</p>
        </ConfirmButton>
      ) : null}
      {work.may_end ? (
        <ConfirmButton
          label={text.end}
          title={text.endTitle}
          said={text.wasEnded}
          onDone={onDone}
          run={cancel(true)}
        >
          <p>{text.endHint}</p>
          {kind === "pipeline_run" ? <p>{text.endRunHint}</p> : null}
        </ConfirmButton>
      ) : null}
    </>
  );
}
