/**
 * The numbers of a file's lines are one stop of the Tab key, as a list would be: arrows, page keys, Home and End continue from
 * there, with Shift they choose every line on the way, and Enter chooses the line like a click.
 */
import { useCallback, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from "react";
import { useNavigate } from "react-router";
import { hashOf, lineRangeOf, type LineRange } from "./line-range.ts";

const linesPerPage = 25;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: linesPerPage,
  PageUp: -linesPerPage,
  End: Infinity,
  Home: -Infinity,
};

export interface LineKeys {
  /** The line that Tab comes to. */
  stop: number;
  chosen: LineRange | undefined;
  handlers: {
    onClick: (event: MouseEvent<HTMLAnchorElement>) => void;
    onFocus: (event: FocusEvent<HTMLAnchorElement>) => void;
    onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => void;
    onKeyUp: (event: KeyboardEvent<HTMLAnchorElement>) => void;
  };
}

/** A choice that continues while Shift is held; browsers refuse an address that changes as often as a held key does. */
interface Growing {
  range: LineRange;
  /** What the address says meanwhile. */
  over: string;
}

/** Each link has `data-line`, and its line the id `L…`. A handler stays the same while `count` does. */
export function useLineKeys(count: number, hash: string): LineKeys {
  const [last, setLast] = useState<number>();
  const { chosen, grow, growing } = useGrowing(hash);
  const choose = useChoose();
  const onClick = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      event.preventDefault();
      const number = numberOf(event.currentTarget);
      const before = event.shiftKey ? lineRangeOf(window.location.hash) : undefined;
      choose(before ? between(before.from, number) : between(number, number));
    },
    [choose],
  );
  const onFocus = useCallback(
    (event: FocusEvent<HTMLAnchorElement>) => setLast(numberOf(event.currentTarget)),
    [],
  );
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLAnchorElement>) => {
      const to = lineFrom(event, count);
      if (to === undefined) return;
      event.preventDefault();
      document.getElementById(`L${to}`)?.querySelector("a")?.focus();
      const from = event.shiftKey ? numberOf(event.currentTarget) : undefined;
      grow(from === undefined ? undefined : { from, to });
    },
    [grow, count],
  );
  const onKeyUp = useCallback(
    (event: KeyboardEvent<HTMLAnchorElement>) => {
      const grown = event.key === "Shift" ? growing() : undefined;
      if (grown) choose(grown);
    },
    [growing, choose],
  );
  const stop = Math.min(last ?? chosen?.from ?? 1, count);
  return { stop, chosen, handlers: { onClick, onFocus, onKeyDown, onKeyUp } };
}

/** The line that a key leads to; undefined for a key that leads nowhere. */
function lineFrom(event: KeyboardEvent<HTMLAnchorElement>, count: number): number | undefined {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return Math.min(count, Math.max(1, numberOf(event.currentTarget) + step));
}

/** Puts a choice into the address. */
function useChoose() {
  const navigate = useNavigate();
  return useCallback(
    (range: LineRange) => {
      const { pathname, search } = window.location;
      void navigate(`${pathname}${search}${hashOf(range)}`, { replace: true, preventScrollReset: true });
    },
    [navigate],
  );
}

/** `grow`: by a step from one line to another; without one the choice grows no more. */
function useGrowing(hash: string) {
  const now = useRef<Growing>(undefined);
  const [shown, setShown] = useState<Growing>();
  /** What has grown since the address last changed. */
  const growing = useCallback(
    () => (now.current?.over === window.location.hash ? now.current.range : undefined),
    [],
  );
  const grow = useCallback(
    (step: { from: number; to: number } | undefined) => {
      const over = window.location.hash;
      const end = step && otherEnd(growing() ?? lineRangeOf(over), step.from);
      now.current = step && end !== undefined ? { range: between(end, step.to), over } : undefined;
      setShown(now.current);
    },
    [growing],
  );
  return { chosen: shown?.over === hash ? shown.range : lineRangeOf(hash), grow, growing };
}

/** Of chosen lines that begin or end at `line`; where none do, a choice begins there. */
function otherEnd(range: LineRange | undefined, line: number): number {
  if (range?.to === line) return range.from;
  return range?.from === line ? range.to : line;
}

function between(one: number, other: number): LineRange {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

function numberOf(link: HTMLAnchorElement): number {
  return Number(link.dataset.line);
}
