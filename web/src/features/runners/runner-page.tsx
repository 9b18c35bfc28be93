/** One runner: how it stands, what is known of its machine, and what can be done with it. */
import { Fragment, type ReactNode } from "react";
import { useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as groupText } from "../../text/runner-groups.ts";
import { text } from "../../text/runners.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatBytes } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { OutdatedNotice } from "./outdated-notice.tsx";
import { RunnerActions } from "./runner-actions.tsx";
import { RunnerEgress, UnfilteredNotice } from "./runner-egress.tsx";
import { RunnerLabels } from "./runner-labels.tsx";
import { RunnerLimits } from "./runner-limits.tsx";
import { RunnerLoad } from "./runner-load.tsx";
import { RunningJobs } from "./running-jobs.tsx";
import { RunnerStatus } from "./runner-status.tsx";
import styles from "./runners.module.css";
import { WithoutIsolationNotice } from "./without-isolation-notice.tsx";
import { useRunner } from "./use-runners.ts";

type Runner = Schemas["Runner"];

export function RunnerPage() {
  const { id = "" } = useParams();
  return <QueryView query={useRunner(id)}>{(runner) => <Shown runner={runner} />}</QueryView>;
}

function Shown({ runner }: { runner: Schemas["RunnerWithJobs"] }) {
  return (
    <Page
      title={runner.name}
      within={text.title}
      heading={
        <span className={styles.heading}>
          {runner.name} <RunnerStatus status={runner.status} />
        </span>
      }
      lead={text.statusHints[runner.status]}
      actions={<RunnerActions runner={runner} />}
    >
      {runner.duplicate_seen_at === null ? null : (
        <Notice tone="warn" title={text.duplicateTitle}>
          {text.duplicate}
          <Time at={runner.duplicate_seen_at} />.
        </Notice>
      )}
      {runner.problem === null ? null : (
        <Notice tone="warn" title={text.problemTitle}>
          {runner.problem}
        </Notice>
      )}
      {runner.outdated ? <OutdatedNotice webUrl={runner.web_url} /> : null}
      <WithoutIsolationNotice executor={runner.executor} />
      <UnfilteredNotice egress={runner.egress} />
      <Section title={text.facts}>
        <dl className={styles.facts}>
          {Object.entries(factsOf(runner)).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      </Section>
      <RunningJobs jobs={runner.jobs} />
      <RunnerLimits limits={runner.limits} lastSeenAt={runner.last_seen_at} />
    </Page>
  );
}

function servedBy(repository: string | null, organization: string | null): string {
  if (repository !== null) return text.onlyOf(repository);
  return organization === null ? text.wholeInstance : text.onlyRepositoriesOf(organization);
}

function jobsRunOn({ executor, engine }: Runner): string {
  return engine === null ? text.executors[executor] : text.inContainersOf(text.engines[engine]);
}

function factsOf(runner: Runner): Record<string, ReactNode> {
  const { repository, organization, load, free_disk_bytes: freeDisk, connected_at, last_seen_at } = runner;
  return {
    [text.serves]: servedBy(repository, organization),
    ...(runner.group === null ? {} : { [groupText.ofRunner]: runner.group.name }),
    [text.jobs]: (
      <>
        <RunnerLoad running={runner.running} capacity={runner.capacity} />
        {runner.one_job ? `, ${text.endsAfterOne}` : null}
      </>
    ),
    [text.labels]: <RunnerLabels labels={runner.labels} />,
    [text.load]: load === null ? text.unknown : load.toFixed(2),
    [text.freeDisk]: freeDisk === null ? text.unknown : formatBytes(freeDisk),
    [text.jobsRun]: jobsRunOn(runner),
    ...(runner.drain_deadline === null ? {} : { [text.jobsStopped]: <Time at={runner.drain_deadline} /> }),
    ...(runner.requires_signatures ? { [text.takes]: text.signedOnly } : {}),
    [text.privilegedJobs]: runner.takes_privileged ? text.privilegedTaken : text.privilegedRefused,
    [text.jobImages]:
      runner.image_cache_bytes === null
        ? text.imagesStay
        : text.imagesUpTo(formatBytes(runner.image_cache_bytes)),
    [text.jobsReach]: last_seen_at === null ? text.neverConnected : <RunnerEgress egress={runner.egress} />,
    [text.lastSeen]: last_seen_at === null ? text.never : <Time at={last_seen_at} />,
    [text.connectedSince]: connected_at === null ? text.notConnected : <Time at={connected_at} />,
    [text.version]: runner.outdated ? text.outdated(runner.version) : runner.version || text.unknown,
    [text.system]: [runner.os, runner.arch].filter(Boolean).join(" · ") || text.unknown,
    [text.hostname]: runner.hostname || text.unknown,
    [text.registered]: <Time at={runner.created_at} />,
    [text.id]: <code>{runner.id}</code>,
  };
}
