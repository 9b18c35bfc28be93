/** Which part of a log its window shows: following what comes, at a line that was requested, or where somebody scrolled to. */
import { useCallback, useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from "react";
import { groupKey, headHeight, rowHeight, scrollRatio, type LogLayout } from "./layout.ts";
import type { Found } from "./log-search.ts";

export interface LogScroll {
  scroller: RefObject<HTMLDivElement | null>;
  /** In pixels of the log: where the window begins, what is drawn, and how far that is moved because the log is too tall. */
  seen: { top: number; from: number; to: number; shift: number };
  isFollowing: boolean;
  follow: (follows: boolean) => void;
  /** Opens what the line is folded in, and brings it into sight. */
  reveal: (line: Found) => void;
  /** Brings a line into sight that is not folded. */
  show: (line: Found) => void;
  onScroll: (event: UIEvent<HTMLDivElement>) => void;
}

export interface LogScrollOptions {
  isLive: boolean;
  /** Revealed once it is there. */
  target: Found | null;
  /** Stays the same from one drawing to the next. */
  open: (line: Found) => void;
}

/** Pixels that are drawn above and below what is in sight. */
const moreAround = 300;

export function useLogScroll(layout: LogLayout, { isLive, target, open }: LogScrollOptions): LogScroll {
  const { height } = layout;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, tall: window.innerHeight });
  const [isFollowing, setFollowing] = useState(isLive && target === null);
  const lastTop = useRef(0);
  const want = useWantedLine(scroller, layout);
  const show = useCallback(
    (line: Found) => {
      setFollowing(false);
      want(line);
    },
    [want],
  );
  const reveal = useCallback(
    (line: Found) => {
      open(line);
      show(line);
    },
    [open, show],
  );
  useTarget(target, layout, reveal);
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
  const follow = (follows: boolean) => {
    setFollowing(follows);
    if (follows) bringIntoSight(scroller.current);
  };
  return { scroller, seen: seenOf(view, height), isFollowing, follow, reveal, show, onScroll };
}

function seenOf(view: { top: number; tall: number }, height: number): LogScroll["seen"] {
  const top = view.top * scrollRatio(height, view.tall);
  return { top, from: top - moreAround, to: top + window.innerHeight + moreAround, shift: view.top - top };
}

/** Reveals the line that the address names, once. */
function useTarget(target: Found | null, { sections }: LogLayout, reveal: (line: Found) => void): void {
  const key = target ? groupKey(target.stream, target.line) : null;
  const revealed = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (!target || revealed.current === key) return;
    const section = sections.find((one) => one.key === target.stream);
    if (!section || section.log.lineCount() <= target.line) return;
    revealed.current = key;
    reveal(target);
  }, [sections, target, key, reveal]);
}

/** Returns how to ask for a line, which comes into sight as soon as it has its place. */
function useWantedLine(scroller: RefObject<HTMLDivElement | null>, { sections, height }: LogLayout) {
  const [wanted, setWanted] = useState<Found | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const section = sections.find(({ key }) => key === wanted?.stream);
    if (!element || !wanted || !section) return;
    const top = section.top + headHeight + section.rows.rowOf(wanted.line) * rowHeight;
    inNextFrame(() => {
      setWanted((now) => (now === wanted ? null : now));
      const tall = element.clientHeight;
      const ratio = scrollRatio(height, tall);
      const seenFrom = element.scrollTop * ratio;
      const isSeen = top >= seenFrom + headHeight && top + rowHeight <= seenFrom + tall;
      if (!isSeen) element.scrollTop = (top - tall / 2) / ratio;
      bringIntoSight(element);
    });
  }, [wanted, sections, height, scroller]);
  return setWanted;
}

/** The page scrolls until all of the log's window is seen: what was requested may stand at its lower end. */
function bringIntoSight(element: HTMLElement | null): void {
  element?.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Chromium knows the new height of what it scrolls only then. The answer calls it off. */
function inNextFrame(scroll: () => void): () => void {
  const frame = requestAnimationFrame(scroll);
  return () => cancelAnimationFrame(frame);
}
