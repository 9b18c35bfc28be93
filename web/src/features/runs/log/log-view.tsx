/**
 * A log as people read it: a section for each step, only those lines in the page that can be seen. It follows what comes
 * until somebody scrolls up.
 */
import { useCallback, useId, useMemo, useState, type MouseEvent } from "react";
import { useNavigate } from "react-router";
import { text } from "../../../text/runs.ts";
import { groupKey, layOut, scrolledHeight, type Folds, type LogLayout } from "./layout.ts";
import { LogSection, type SectionWords } from "./log-section.tsx";
import type { LogStream } from "./log-stream.ts";
import type { Found } from "./log-search.ts";
import { LogToolbar } from "./log-toolbar.tsx";
import styles from "./log-view.module.css";
import type { WatchedLog } from "./use-log.ts";
import { useLineFocus } from "./use-line-focus.ts";
import { useLogScroll, type LogScroll } from "./use-log-scroll.ts";
import { useLogSearch } from "./use-log-search.ts";

export interface LogViewProps {
  log: WatchedLog;
  label: string;
  /** More lines may come. */
  isLive: boolean;
  /** What the section of a stream is headed by. */
  wordsOf: (log: LogStream) => SectionWords;
  isOpenByDefault: (log: LogStream) => boolean;
  /** Address of a line, `#…`. */
  hrefOf: (stream: string, line: number) => string;
  /** The line that the address names. */
  target: Found | null;
  /** Address of the log as text. */
  rawHref: string;
}

const nothingFolded: Folds = { sections: new Map(), groups: new Map() };

export function LogView(props: LogViewProps) {
  const { log, isLive } = props;
  const { store, version } = log;
  const [folds, setFolds] = useState(nothingFolded);
  const [hasTimes, setTimes] = useState(false);
  const search = useLogSearch(store, version);
  const layout = useMemo(
    () => layOut(store.streams(), folds, props.isOpenByDefault),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a version is what the store holds
    [store, version, folds, props.isOpenByDefault],
  );
  const open = useCallback(
    (line: Found) => setFolds((before) => openAt(before, store.streams(), line)),
    [store],
  );
  const scroll = useLogScroll(layout, { isLive, target: props.target, open });
  return (
    <div className={styles.view}>
      <LogToolbar
        search={search}
        onStep={(by) => {
          const found = search.step(by);
          if (found) scroll.reveal(found);
        }}
        hasTimes={hasTimes}
        onTimes={setTimes}
        isLive={isLive}
        isFollowing={scroll.isFollowing}
        onFollow={scroll.follow}
        rawHref={props.rawHref}
      />
      <Connection log={log} />
      <Lines {...props} {...{ layout, scroll, folds, hasTimes, search }} onFold={setFolds} />
    </div>
  );
}

function Connection({ log: { isLost, busy } }: { log: WatchedLog }) {
  return (
    <>
      {isLost ? <div className={styles.lost}>{text.reconnecting}</div> : null}
      {busy === null ? null : (
        <div className={styles.lost} role="status">
          {text.busy(busy.why, busy.seconds)}
        </div>
      )}
    </>
  );
}

interface LinesProps extends LogViewProps {
  layout: LogLayout;
  scroll: LogScroll;
  folds: Folds;
  onFold: (change: (before: Folds) => Folds) => void;
  hasTimes: boolean;
  search: ReturnType<typeof useLogSearch>;
}

function Lines(props: LinesProps) {
  const { sections, height } = props.layout;
  const { scroller, seen, onScroll, show } = props.scroll;
  const lineFocus = useLineFocus({ sections, top: seen.top, drawn: seen, scroller, show });
  const hintId = useId();
  const onClick = useLineLinks();
  return (
    <>
      {/* Arrow keys scroll, or lead from line to line. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- links of lines are links; this only keeps the page where it is */}
      <div
        ref={scroller}
        className={styles.scroller}
        role="region"
        aria-label={props.label}
        aria-describedby={hintId}
        data-roving
        // What scrolls has to be reached by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        onClick={onClick}
        onFocus={lineFocus.onFocus}
        onBlur={lineFocus.onBlur}
        onKeyDown={lineFocus.onKeyDown}
      >
        <p id={hintId} className="visually-hidden">
          {text.lineKeys}
        </p>
        <div className={styles.whole} style={{ height: scrolledHeight(height) }}>
          {sections
            .filter((section) => section.top < seen.to && section.top + section.height > seen.from)
            .map((section) => (
              <LogSection
                key={section.key}
                section={section}
                words={props.wordsOf(section.log)}
                seen={seen}
                folds={props.folds}
                onFold={props.onFold}
                hasTimes={props.hasTimes}
                search={props.search.words.toLowerCase()}
                found={props.search.current}
                target={props.target}
                stop={lineFocus.stop}
                hrefOf={props.hrefOf}
              />
            ))}
        </div>
        {height === 0 ? <p className={styles.empty}>{emptyText(props.log, props.isLive)}</p> : null}
      </div>
    </>
  );
}

/** A link of a line changes the address, and leaves the page where it is. */
function useLineLinks() {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLDivElement>) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ hash: link.hash }, { replace: true, preventScrollReset: true });
  };
}

/** Of a log without lines; that it wrote none is said only by who was shown it. */
function emptyText({ busy, isLost, isKnown, refused }: WatchedLog, isLive: boolean): string | null {
  if (busy !== null || isLost || refused) return null;
  return isLive || !isKnown ? text.waitingForLines : text.noLines;
}

/** So that this line can be seen. */
function openAt(folds: Folds, streams: readonly LogStream[], { stream, line }: Found): Folds {
  const groups = new Map(folds.groups);
  for (const log of streams)
    for (const group of log.groups())
      if (group.start < line && line <= (group.end ?? line)) groups.set(groupKey(stream, group.start), true);
  return { sections: new Map(folds.sections).set(stream, true), groups };
}
