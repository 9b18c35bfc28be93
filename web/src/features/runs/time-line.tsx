/** A bar for each job, or each combination of an opened matrix, along the time of its run: waiting, queue, image and set-up, run. */
import { useEffect, useState } from "react";
import { text } from "../../text/runs.ts";
import { words } from "../../text/time-line.ts";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { isOver } from "../../ui/statuses.ts";
import { CombinationList, GroupButton, useOpenGroups } from "./combinations.tsx";
import { combinationLabel, groupsOf } from "./matrix-groups.ts";
import { phaseSpans, type Phase, type PhaseSpan } from "./phases.ts";
import type { JobChoice } from "./run-graph.tsx";
import type { Job } from "./run-status.ts";
import styles from "./time-line.module.css";

const phases: readonly Phase[] = ["waiting", "queue", "setup", "run"];
const rowHeight = 30;
const ticks = [0, 0.25, 0.5, 0.75, 1];

export function TimeLine({ run, chosen, onChoose }: JobChoice) {
  const now = useSecond(!isOver(run.status));
  const open = useOpenGroups(chosen);
  const begin = Date.parse(run.created_at);
  const end = run.finished_at && isOver(run.status) ? Date.parse(run.finished_at) : now;
  const whole = Math.max(1_000, end - begin);
  const percent = (time: number) => Math.min(100, Math.max(0, ((time - begin) / whole) * 100));
  return (
    <div className={styles.timeLine}>
      <ul className={styles.legend}>
        {phases.map((phase) => (
          <li key={phase}>
            <span className={styles.swatch} data-phase={phase} /> {words.phases[phase]}
          </li>
        ))}
      </ul>
      <ul aria-label={text.stages}>
        {run.stages
          .flatMap(({ jobs }) => groupsOf(jobs))
          .map((group) => {
            const rows = group.jobs.map((job) => (
              <li key={job.id}>
                <JobRow
                  job={job}
                  label={combinationLabel(job, group)}
                  isChosen={job.id === chosen?.id}
                  onChoose={onChoose}
                  spans={phaseSpans(job, begin, end)}
                  percent={percent}
                />
              </li>
            ));
            if (rows.length === 1) return rows;
            return (
              <li key={group.key}>
                <GroupButton group={group} chosen={chosen} open={open} className={styles.group} />
                {open.isOpen(group) ? (
                  <CombinationList group={group} height={rows.length * rowHeight}>
                    {rows}
                  </CombinationList>
                ) : null}
              </li>
            );
          })}
      </ul>
      <div className={styles.axis} aria-hidden>
        {ticks.map((part) => (
          <span key={part}>{formatSeconds((whole * part) / 1000)}</span>
        ))}
      </div>
    </div>
  );
}

function JobRow(props: {
  job: Job;
  label: string;
  isChosen: boolean;
  onChoose: (job: Job) => void;
  spans: readonly PhaseSpan[];
  percent: (time: number) => number;
}) {
  const { job, label, isChosen, onChoose, spans, percent } = props;
  return (
    <button type="button" className={styles.job} aria-pressed={isChosen} onClick={() => onChoose(job)}>
      <span className={styles.name}>
        <StatusMark status={job.status} bare /> <span>{label}</span>
      </span>
      <span className={styles.track}>
        {spans.map((phaseSpan) => (
          <Bar key={`${phaseSpan.attempt} ${phaseSpan.phase}`} phaseSpan={phaseSpan} percent={percent} />
        ))}
      </span>
      <span className={styles.span}>{formatSeconds(job.duration)}</span>
    </button>
  );
}

function Bar({ phaseSpan, percent }: { phaseSpan: PhaseSpan; percent: (time: number) => number }) {
  const { phase, from, to } = phaseSpan;
  const said = words.phaseTook(words.phases[phase], formatSeconds((to - from) / 1000));
  const left = percent(from);
  return (
    <span
      className={styles.bar}
      data-phase={phase}
      title={said}
      style={{ left: `${left}%`, width: `${percent(to) - left}%` }}
    >
      <span className="visually-hidden">{said}</span>
    </span>
  );
}

/** Now, again each second while something is in progress. */
function useSecond(isGoingOn: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isGoingOn) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isGoingOn]);
  return now;
}
