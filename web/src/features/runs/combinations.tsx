/** A matrix as one job that is opened: how its combinations stand together, and below it each of them. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { text } from "../../text/runs.ts";
import { StatusMark } from "../../ui/status.tsx";
import { standingOf, type JobGroup } from "./matrix-groups.ts";
import styles from "./combinations.module.css";
import type { Job } from "./run-status.ts";

export interface OpenGroups {
  isOpen(group: JobGroup): boolean;
  toggle(group: JobGroup): void;
}

/** Those with the chosen job are open, unless somebody has closed them; others when somebody opens them. */
export function useOpenGroups(chosen: Job | undefined): OpenGroups {
  const [told, setTold] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = ({ key }: JobGroup) => told.get(key) ?? key === chosen?.key;
  return {
    isOpen,
    toggle: (group) => setTold(new Map(told).set(group.key, !isOpen(group))),
  };
}

/** `className`: of the job that it looks like. */
export function GroupButton(props: {
  group: JobGroup;
  chosen: Job | undefined;
  open: OpenGroups;
  className: string | undefined;
}) {
  const { group, chosen, open, className } = props;
  const { status, done, failed } = standingOf(group.jobs);
  const isOpen = open.isOpen(group);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const all = group.jobs.length;
  return (
    <button
      type="button"
      className={`${className} ${styles.group}`}
      aria-expanded={isOpen}
      title={group.name}
      data-status={status}
      data-allowed={failed > 0 && group.jobs.filter((job) => job.allowed_failure).length === failed}
      data-holds-chosen={!isOpen && group.key === chosen?.key}
      onClick={() => open.toggle(group)}
    >
      <StatusMark status={status} bare />
      <span className={styles.name}>{group.name}</span>
      {group.needs.length > 0 ? (
        <span className="visually-hidden">{text.needs(group.needs.join(", "))}</span>
      ) : null}
      <span className={styles.count}>
        {done === all && failed > 0 ? text.combinationsFailed(failed, all) : text.combinationsDone(done, all)}
      </span>
      <Chevron size={14} aria-hidden />
    </button>
  );
}

/** Scrolls within `height`; the chosen one is in sight when the list opens. */
export function CombinationList(props: { group: JobGroup; height: number; children: ReactNode }) {
  const { group, height, children } = props;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const job = list.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (list.current && job) list.current.scrollTop = job.offsetTop - height / 2;
  }, [height]);
  return (
    <ul ref={list} className={styles.list} style={{ height }} aria-label={text.combinations(group.name)}>
      {children}
    </ul>
  );
}
