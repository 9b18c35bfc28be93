/** Stages as columns, jobs below each other in them; lines show which job needs which. A matrix is one job, which can be opened. */
import { useLayoutEffect, useRef, type RefObject } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runs.ts";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { CombinationList, GroupButton, useOpenGroups, type OpenGroups } from "./combinations.tsx";
import { edgesOf, jobHeight, listHeight, placesOf } from "./graph-layout.ts";
import { combinationLabel, groupsOf, type JobGroup } from "./matrix-groups.ts";
import styles from "./run-graph.module.css";
import type { Job, Run } from "./run-status.ts";

export interface JobChoice {
  run: Run;
  chosen: Job | undefined;
  onChoose: (job: Job) => void;
}

export function RunGraph({ run, chosen, onChoose }: JobChoice) {
  const open = useOpenGroups(chosen);
  const stages = run.stages.map((stage) => ({
    stage,
    jobs: groupsOf(stage.jobs).map((group) => ({
      ...group,
      below: group.jobs.length > 1 && open.isOpen(group) ? listHeight(group.jobs.length) : 0,
    })),
  }));
  const { places, width, height } = placesOf(stages);
  const scroller = useChosenInSight(chosen);
  const isChosen = (key: string) => key === chosen?.key;
  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.graph} style={{ width, height }}>
        <svg className={styles.edges} width={width} height={height} aria-hidden>
          {edgesOf(stages, places).map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} data-chosen={isChosen(from) || isChosen(to)} />
          ))}
        </svg>
        <ul aria-label={text.stages} className={styles.stages}>
          {stages.map(({ stage, jobs }) => (
            <Stage
              key={stage.id}
              stage={stage}
              groups={jobs}
              open={open}
              chosen={chosen}
              onChoose={onChoose}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** A graph that is wider than the window shows the chosen job first. */
function useChosenInSight(chosen: Job | undefined): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const job = scroller.current?.querySelector("[aria-pressed=true]");
    if (!scroller.current || !job) return;
    const { left, right } = scroller.current.getBoundingClientRect();
    const place = job.getBoundingClientRect();
    if (place.left < left || place.right > right)
      scroller.current.scrollLeft += (place.left + place.right - left - right) / 2;
  }, [chosen?.id]);
  return scroller;
}

function Stage(props: {
  stage: Schemas["RunStage"];
  groups: readonly (JobGroup & { below: number })[];
  open: OpenGroups;
  chosen: Job | undefined;
  onChoose: (job: Job) => void;
}) {
  const { stage, groups, open, chosen, onChoose } = props;
  return (
    <li className={styles.stage}>
      <div className={styles.stageName} title={stage.message ?? undefined}>
        <StatusMark status={stage.status} bare /> <span>{stage.title ?? stage.name}</span>
        <PlacementNote placement={stage.placement} />
      </div>
      <ul>
        {groups.map((group) => {
          const button = (job: Job) => (
            <JobButton job={job} group={group} isChosen={job.id === chosen?.id} onChoose={onChoose} />
          );
          const { key, jobs, below } = group;
          return (
            <li key={key} className={styles.node} style={{ height: jobHeight + below }}>
              {jobs.length === 1 ? (
                button(jobs[0])
              ) : (
                <GroupButton group={group} chosen={chosen} open={open} className={styles.job} />
              )}
              {below > 0 ? (
                <CombinationList group={group} height={below}>
                  {jobs.map((job) => (
                    <li key={job.id}>{button(job)}</li>
                  ))}
                </CombinationList>
              ) : null}
            </li>
          );
        })}
      </ul>
    </li>
  );
}

/** Where all jobs of the stage run. */
function PlacementNote({ placement }: Pick<Schemas["RunStage"], "placement">) {
  if (!placement?.runner) return null;
  const { runner, shares_workspace: sharesWorkspace, lost } = placement;
  const hint = lost ? text.placementLost(runner.name) : text.placedHint(runner.name, sharesWorkspace);
  return (
    <span className={styles.placement} title={hint}>
      {text.placedOn(runner.name)}
    </span>
  );
}

function JobButton(props: { job: Job; group: JobGroup; isChosen: boolean; onChoose: (job: Job) => void }) {
  const { job, group, isChosen, onChoose } = props;
  const isAlone = group.jobs.length === 1;
  return (
    <button
      type="button"
      className={isAlone ? styles.job : styles.combination}
      aria-pressed={isChosen}
      title={job.message ?? job.name}
      data-status={job.status}
      onClick={() => onChoose(job)}
    >
      <StatusMark status={job.status} bare />
      <span className={styles.jobName}>{combinationLabel(job, group)}</span>
      {isAlone && job.needs.length > 0 ? (
        <span className="visually-hidden">{text.needs(job.needs.join(", "))}</span>
      ) : null}
      {job.attempts.length > 1 ? <span className={styles.tries}>×{job.attempts.length}</span> : null}
      {job.duration === null ? null : <span className={styles.span}>{formatSeconds(job.duration)}</span>}
    </button>
  );
}
