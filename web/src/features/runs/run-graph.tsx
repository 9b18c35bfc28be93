/** Stages as columns, jobs below each other in them; lines show which job needs which. A matrix is one job, which can be opened. */
import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runs.ts";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { CombinationList, GroupButton, useOpenGroups, type OpenGroups } from "./combinations.tsx";
import { edgesOf, fillerOf, jobHeight, listHeight, placesOf, scrollOf } from "./graph-layout.ts";
import { combinationLabel, groupsOf, type JobGroup } from "./matrix-groups.ts";
import styles from "./run-graph.module.css";
import { isSilent, type Job, type Run } from "./run-status.ts";

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
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  const layout = placesOf(stages, room);
  const { places, height, columnWidth, widths } = layout;
  const width = layout.width + fillerOf(layout.width, { columnWidth, room });
  useChosenInSight(scroller, { chosen, left: places.get(chosen?.key ?? "")?.x, columnWidth, room, width });
  const isChosen = (key: string) => key === chosen?.key;
  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.graph} style={{ width, height }}>
        <svg className={styles.edges} width={width} height={height} aria-hidden>
          {edgesOf(stages, layout).map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} data-chosen={isChosen(from) || isChosen(to)} />
          ))}
        </svg>
        <ul aria-label={text.stages} className={styles.stages}>
          {stages.map(({ stage, jobs }, index) => (
            <Stage
              width={widths[index]}
              places={places}
              columnWidth={columnWidth}
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

type Scroller = RefObject<HTMLDivElement | null>;

/** The width that the graph has without scrolling. */
function useRoom(scroller: Scroller): number {
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setRoom(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [scroller]);
  return room;
}

/** A graph that is wider than the window shows the chosen job first. */
function useChosenInSight(
  scroller: Scroller,
  of: { chosen: Job | undefined; left: number | undefined; columnWidth: number; room: number; width: number },
): void {
  const { chosen, left, columnWidth, room, width } = of;
  const laidOut = useRef("");
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || left === undefined || !Number.isFinite(room)) return;
    const isInSight = left >= element.scrollLeft && left + columnWidth <= element.scrollLeft + room;
    const layout = `${room} ${columnWidth} ${width}`;
    const isNew = laidOut.current !== layout;
    laidOut.current = layout;
    if (isNew || !isInSight) element.scrollTo({ left: scrollOf(left, { columnWidth, room }) });
  }, [scroller, chosen?.id, left, columnWidth, room, width]);
}

function Stage(props: {
  stage: Schemas["RunStage"];
  groups: readonly (JobGroup & { below: number })[];
  open: OpenGroups;
  chosen: Job | undefined;
  onChoose: (job: Job) => void;
  width: number | undefined;
  /** Of jobs, in the whole graph. */
  places: ReadonlyMap<string, { x: number; y: number }>;
  columnWidth: number;
}) {
  const { stage, groups, open, chosen, onChoose, width, places, columnWidth } = props;
  return (
    <li className={styles.stage} style={{ width }}>
      <div className={styles.stageName} title={stage.message ?? undefined} data-allowed={stage.warnings > 0}>
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
            <li
              key={key}
              className={styles.node}
              style={{ ...placeIn(places, key), width: columnWidth, height: jobHeight + below }}
            >
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

function placeIn(places: ReadonlyMap<string, { x: number; y: number }>, key: string) {
  const { x: left = 0, y: top = 0 } = places.get(key) ?? {};
  return { left, top };
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
      data-allowed={job.allowed_failure}
      data-warned={isSilent(job) || (job.attempts.at(-1)?.warnings.length ?? 0) > 0}
      onClick={() => onChoose(job)}
    >
      <StatusMark status={job.status} bare />
      <span className={styles.jobName}>{combinationLabel(job, group)}</span>
      {job.allowed_failure ? <span className="visually-hidden">{text.allowedFailure}</span> : null}
      {isAlone && job.needs.length > 0 ? (
        <span className="visually-hidden">{text.needs(job.needs.join(", "))}</span>
      ) : null}
      {job.attempts.length > 1 ? <span className={styles.tries}>×{job.attempts.length}</span> : null}
      {job.duration === null ? null : <span className={styles.span}>{formatSeconds(job.duration)}</span>}
    </button>
  );
}
