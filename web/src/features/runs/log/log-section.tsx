/** A section of a log: the step's head, and those of its lines that can be seen. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../../text/runs.ts";
import { StatusMark } from "../../../ui/status.tsx";
import { formatSeconds } from "../../../ui/time.tsx";
import { groupKey, headHeight, isGroupOpen, rowHeight, type Folds, type SectionLayout } from "./layout.ts";
import { LineNumber, LogLine } from "./log-line.tsx";
import type { Found } from "./log-search.ts";
import { isGroupEnd, type LogGroup } from "./log-stream.ts";
import styles from "./log-section.module.css";

export interface SectionWords {
  name: string;
  status: Schemas["Status"] | null;
  /** Seconds. */
  duration: number | null;
  /** Beside the name, for example an exit code. */
  aside: string | null;
  /** Others ran at the same time. */
  isParallel?: boolean;
}

export interface LogSectionProps {
  section: SectionLayout;
  words: SectionWords;
  /** Pixels of the whole log that are in sight, and a little more; and what to add for where they are drawn. */
  seen: { from: number; to: number; shift: number };
  folds: Folds;
  onFold: (change: (before: Folds) => Folds) => void;
  hasTimes: boolean;
  search: string;
  found: Found | null;
  target: Found | null;
  /** The line that Tab comes to. */
  stop: Found | null;
  hrefOf: (stream: string, line: number) => string;
}

export function LogSection(props: LogSectionProps) {
  const { section, words, seen, onFold } = props;
  const { key, isOpen, log } = section;
  const { top, bottom } = drawnPart(section, seen);
  const toggle = () =>
    onFold((before) => ({ ...before, sections: new Map(before.sections).set(key, !isOpen) }));
  return (
    <section className={styles.section} style={{ top: top + seen.shift, height: bottom - top }}>
      <div className={styles.headRow}>
        <button type="button" className={styles.head} aria-expanded={isOpen} onClick={toggle}>
          <Chevron isOpen={isOpen} />
          {words.status ? <StatusMark status={words.status} bare /> : null}
          <span className={styles.name}>{words.name}</span>
          {words.isParallel ? <span className={styles.span}>{text.parallel}</span> : null}
          {words.aside ? <span className={styles.aside}>{words.aside}</span> : null}
          {log.end()?.complete === false ? <span className={styles.missing}>{text.incomplete}</span> : null}
          {words.duration === null ? null : (
            <span className={styles.span}>{formatSeconds(words.duration)}</span>
          )}
        </button>
      </div>
      {isOpen ? <Lines {...props} /> : null}
    </section>
  );
}

/** Of a section only what is near: boxes of millions of pixels are slow, and at some height not drawn. */
function drawnPart({ top, height }: SectionLayout, seen: LogSectionProps["seen"]) {
  return { top: Math.max(top, seen.from), bottom: Math.min(top + height, seen.to) };
}

function Lines(props: LogSectionProps) {
  const { section, seen, folds, hasTimes, search, found, target, stop, hrefOf } = props;
  const { key, log, rows } = section;
  const { top, bottom } = drawnPart(section, seen);
  const from = Math.max(0, Math.ceil((top - section.top) / rowHeight));
  const to = Math.min(rows.count, Math.ceil((bottom - section.top - headHeight) / rowHeight));
  const above = section.top + from * rowHeight - top;
  const groups = new Map(log.groups().map((group) => [group.start, group]));
  const lines: ReactNode[] = [<div key="above" style={{ height: above }} />];
  for (let row = from; row < to; row += 1) {
    const line = rows.lineAt(row);
    const group = groups.get(line);
    const raw = log.text(line);
    const isHere = (place: Found | null) => place?.stream === key && place.line === line;
    lines.push(
      <Fragment key={line}>
        {group ? (
          <GroupHead group={group} isOpen={isGroupOpen(folds, key, group)} isStop={isHere(stop)} {...props} />
        ) : (
          <LogLine
            stream={key}
            raw={isGroupEnd(raw) ? "" : raw}
            before={log.styleBefore(line)}
            number={line + 1}
            href={hrefOf(key, line + 1)}
            isStop={isHere(stop)}
            time={hasTimes ? timeText(log.timeOf(line)) : null}
            search={search}
            mark={isHere(found) ? "found" : isHere(target) ? "target" : undefined}
          />
        )}
      </Fragment>,
    );
  }
  return lines;
}

function GroupHead(props: LogSectionProps & { group: LogGroup; isOpen: boolean; isStop: boolean }) {
  const { group, isOpen, isStop, section, onFold, hrefOf, hasTimes } = props;
  const number = group.start + 1;
  const place = groupKey(section.key, group.start);
  return (
    <div className={styles.group}>
      <LineNumber
        stream={section.key}
        number={number}
        href={hrefOf(section.key, number)}
        isStop={isStop}
        className={styles.number}
      />
      {hasTimes ? <span className={styles.time}>{timeText(section.log.timeOf(group.start))}</span> : null}
      <button
        type="button"
        tabIndex={isStop ? 0 : -1}
        aria-expanded={isOpen}
        onClick={() =>
          onFold((before) => ({ ...before, groups: new Map(before.groups).set(place, !isOpen) }))
        }
      >
        <Chevron isOpen={isOpen} />
        {group.title}
      </button>
    </div>
  );
}

function Chevron({ isOpen }: { isOpen: boolean }) {
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return <Mark size={14} aria-hidden className={styles.chevron} />;
}

/** In the reader's own zone, to the millisecond; as wide when nothing is known. */
function timeText(timeMs: number | null): string {
  if (timeMs === null) return " ".repeat(12);
  const time = new Date(timeMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${clock}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}
