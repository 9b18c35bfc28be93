/**
 * A log as people read it: a section for each step, only those lines in the page that can be seen. It follows what comes
 * until somebody scrolls up.
 */
import {
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type UIEvent,
} from "react";
import { useNavigate } from "react-router";
import { text } from "../../../text/runs.ts";
import {
  groupKey,
  headHeight,
  layOut,
  rowHeight,
  scrolledHeight,
  scrollRatio,
  type Folds,
} from "./layout.ts";
import { LogSection, type SectionWords } from "./log-section.tsx";
import type { LogStream } from "./log-stream.ts";
import type { Found } from "./log-search.ts";
import { LogToolbar } from "./log-toolbar.tsx";
import styles from "./log-view.module.css";
import type { WatchedLog } from "./use-log.ts";
import { useLineStop } from "./use-line-stop.ts";
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

/** Pixels that are drawn above and below what is in sight. */
const moreAround = 300;
const nothingFolded: Folds = { sections: new Map(), groups: new Map() };

export function LogView(props: LogViewProps) {
  const { log, label, isLive, target } = props;
  const { store, version } = log;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, tall: window.innerHeight });
  const [folds, setFolds] = useState(nothingFolded);
  const [isFollowing, setFollowing] = useState(isLive && target === null);
  const [hasTimes, setTimes] = useState(false);
  const [wanted, setWanted] = useState<Found | null>(null);
  const search = useLogSearch(store, version);
  const navigate = useNavigate();
  const lastTop = useRef(0);

  const { sections, height } = useMemo(
    () => layOut(store.streams(), folds, props.isOpenByDefault),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a version is what the store holds
    [store, version, folds, props.isOpenByDefault],
  );

  const reveal = useCallback(
    ({ stream, line }: Found) => {
      setFollowing(false);
      setFolds((before) => openAt(before, store.streams(), stream, line));
      setWanted({ stream, line });
    },
    [store],
  );

  // The line that the address names, once it is there.
  const targetKey = target ? groupKey(target.stream, target.line) : null;
  const revealedTarget = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (!target || revealedTarget.current === targetKey) return;
    const section = sections.find(({ key }) => key === target.stream);
    if (!section || section.log.lineCount() <= target.line) return;
    revealedTarget.current = targetKey;
    reveal(target);
  }, [sections, target, targetKey, reveal]);

  useLayoutEffect(() => {
    const element = scroller.current;
    const section = sections.find(({ key }) => key === wanted?.stream);
    if (!element || !wanted || !section) return;
    const top = section.top + headHeight + section.rows.rowOf(wanted.line) * rowHeight;
    setWanted(null);
    inNextFrame(() => {
      const tall = element.clientHeight;
      const ratio = scrollRatio(height, tall);
      const seenFrom = element.scrollTop * ratio;
      const isSeen = top >= seenFrom + headHeight && top + rowHeight <= seenFrom + tall;
      if (!isSeen) element.scrollTop = (top - tall / 2) / ratio;
      bringIntoSight(element);
    });
  }, [wanted, sections, height]);

  useLayoutEffect(() => {
    const element = scroller.current;
    return element && isFollowing ? inNextFrame(() => (element.scrollTop = element.scrollHeight)) : undefined;
  }, [isFollowing, height]);

  const onScroll = ({ currentTarget: element }: UIEvent<HTMLDivElement>) => {
    const top = element.scrollTop;
    const isAtEnd = top + element.clientHeight >= element.scrollHeight - rowHeight;
    if (isAtEnd) setFollowing(isLive);
    else if (top < lastTop.current) setFollowing(false);
    lastTop.current = top;
    setView({ top, tall: element.clientHeight });
  };

  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ hash: link.hash }, { replace: true, preventScrollReset: true });
  };

  const top = view.top * scrollRatio(height, view.tall);
  const seen = { from: top - moreAround, to: top + window.innerHeight + moreAround, shift: view.top - top };
  const lineStop = useLineStop({
    sections,
    top,
    drawn: seen,
    scroller,
    show: (place) => {
      setFollowing(false);
      setWanted(place);
    },
  });
  const hintId = useId();
  return (
    <div className={styles.view}>
      <LogToolbar
        search={search}
        onStep={(by) => {
          const found = search.step(by);
          if (found) reveal(found);
        }}
        hasTimes={hasTimes}
        onTimes={setTimes}
        isLive={isLive}
        isFollowing={isFollowing}
        onFollow={(follows) => {
          setFollowing(follows);
          if (follows) bringIntoSight(scroller.current);
        }}
        rawHref={props.rawHref}
      />
      {log.isLost ? <div className={styles.lost}>{text.reconnecting}</div> : null}
      {log.busy === null ? null : (
        <div className={styles.lost} role="status">
          {text.busy(log.busy.why, log.busy.seconds)}
        </div>
      )}
      {/* Arrow keys scroll, or lead from line to line. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- links of lines are links; this only keeps the page where it is */}
      <div
        ref={scroller}
        className={styles.scroller}
        role="region"
        aria-label={label}
        aria-describedby={hintId}
        data-roving
        // What scrolls has to be reached by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        onClick={onClick}
        onFocus={lineStop.onFocus}
        onBlur={lineStop.onBlur}
        onKeyDown={lineStop.onKeyDown}
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
                folds={folds}
                onFold={setFolds}
                hasTimes={hasTimes}
                search={search.words.toLowerCase()}
                found={search.current}
                target={target}
                stop={lineStop.stop}
                hrefOf={props.hrefOf}
              />
            ))}
        </div>
        {height === 0 ? <p className={styles.empty}>{emptyText(log, isLive)}</p> : null}
      </div>
    </div>
  );
}

/** Of a log without lines; that it wrote none is said only by who was shown it. */
function emptyText({ busy, isLost, isKnown, refused }: WatchedLog, isLive: boolean): string | null {
  if (busy !== null || isLost || refused) return null;
  return isLive || !isKnown ? text.waitingForLines : text.noLines;
}

/** The page scrolls until all of the log's window is seen: what was asked for may stand at its lower end. */
function bringIntoSight(element: HTMLElement | null): void {
  element?.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Chromium knows the new height of what it scrolls only then. The answer calls it off. */
function inNextFrame(scroll: () => void): () => void {
  const frame = requestAnimationFrame(scroll);
  return () => cancelAnimationFrame(frame);
}

/** So that this line can be seen. */
function openAt(folds: Folds, streams: readonly LogStream[], stream: string, line: number): Folds {
  const groups = new Map(folds.groups);
  for (const log of streams)
    for (const group of log.groups())
      if (group.start < line && line <= (group.end ?? line)) groups.set(groupKey(stream, group.start), true);
  return { sections: new Map(folds.sections).set(stream, true), groups };
}
