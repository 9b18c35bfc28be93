/** Stages as columns, jobs below each other in them; lines show which job needs which. */
import { useLayoutEffect, useRef, type RefObject } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runs.ts";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { edgesOf, jobHeight, placesOf } from "./graph-layout.ts";
import styles from "./run-graph.module.css";
import type { Job, Run } from "./run-status.ts";

export interface JobChoice {
  run: Run;
  /** Key of the job. */
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

export function RunGraph({ run, chosen, onChoose }: JobChoice) {
  const { places, width, height } = placesOf(run.stages);
  const scroller = useChosenInSight(chosen);
  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.graph} style={{ width, height }}>
        <svg className={styles.edges} width={width} height={height} aria-hidden>
          {edgesOf(run.stages, places).map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} data-chosen={from === chosen || to === chosen} />
          ))}
        </svg>
        <ul aria-label={text.stages} className={styles.stages}>
          {run.stages.map((stage) => (
            <Stage key={stage.id} stage={stage} chosen={chosen} onChoose={onChoose} />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** A graph that is wider than the window shows the chosen job first. */
function useChosenInSight(chosen: string | undefined): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const job = scroller.current?.querySelector("[aria-pressed=true]");
    if (!scroller.current || !job) return;
    const { left, right } = scroller.current.getBoundingClientRect();
    const place = job.getBoundingClientRect();
    if (place.left < left || place.right > right)
      scroller.current.scrollLeft += (place.left + place.right - left - right) / 2;
  }, [chosen]);
  return scroller;
}

function Stage(props: {
  stage: Schemas["RunStage"];
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const { stage, chosen, onChoose } = props;
  return (
    <li className={styles.stage}>
      <div className={styles.stageName} title={stage.message ?? undefined}>
        <StatusMark status={stage.status} bare /> <span>{stage.title ?? stage.name}</span>
      </div>
      <ul>
        {stage.jobs.map((job) => (
          <li key={job.id} style={{ height: jobHeight }}>
            <JobButton job={job} isChosen={job.key === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function JobButton({
  job,
  isChosen,
  onChoose,
}: {
  job: Job;
  isChosen: boolean;
  onChoose: (key: string) => void;
}) {
  return (
    <button
      type="button"
      className={styles.job}
      aria-pressed={isChosen}
      title={job.message ?? job.name}
      data-status={job.status}
      onClick={() => onChoose(job.key)}
    >
      <StatusMark status={job.status} bare />
      <span className={styles.jobName}>{job.name}</span>
      {job.needs.length > 0 ? (
        <span className="visually-hidden">{text.needs(job.needs.join(", "))}</span>
      ) : null}
      {job.attempts.length > 1 ? <span className={styles.tries}>×{job.attempts.length}</span> : null}
      {job.duration === null ? null : <span className={styles.span}>{formatSeconds(job.duration)}</span>}
    </button>
  );
}
