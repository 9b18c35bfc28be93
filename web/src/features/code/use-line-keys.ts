/**
 * The numbers of a file's lines are one stop of the Tab key, as a list would be: arrows, page keys, Home and End go on from
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

/** A choice that goes on while Shift is held; browsers refuse an address that changes as often as a held key does. */
interface Growing {
  range: LineRange;
  /** What the address says meanwhile. */
  over: string;
}

/** Each link has `data-line`, and its line the id `L…`. A handler stays the same while `count` does. */
export function useLineKeys(count: number, hash: string): LineKeys {
  const navigate = useNavigate();
  const [last, setLast] = useState<number>();
  const growing = useRef<Growing>(undefined);
  const [shown, setShown] = useState<Growing>();
  const grow = useCallback((next: Growing | undefined) => {
    growing.current = next;
    setShown(next);
  }, []);
  const choose = useCallback(
    (range: LineRange) => {
      const { pathname, search } = window.location;
      void navigate(`${pathname}${search}${hashOf(range)}`, { replace: true, preventScrollReset: true });
    },
    [navigate],
  );
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
      const step = steps[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const from = numberOf(event.currentTarget);
      const to = Math.min(count, Math.max(1, from + step));
      document.getElementById(`L${to}`)?.querySelector("a")?.focus();
      if (!event.shiftKey) return grow(undefined);
      const over = window.location.hash;
      const before = growing.current?.over === over ? growing.current.range : lineRangeOf(over);
      grow({ range: between(otherEnd(before, from), to), over });
    },
    [grow, count],
  );
  const onKeyUp = useCallback(
    (event: KeyboardEvent<HTMLAnchorElement>) => {
      const grown = growing.current;
      if (event.key === "Shift" && grown?.over === window.location.hash) choose(grown.range);
    },
    [choose],
  );
  const chosen = shown?.over === hash ? shown.range : lineRangeOf(hash);
  const stop = Math.min(last ?? chosen?.from ?? 1, count);
  return { stop, chosen, handlers: { onClick, onFocus, onKeyDown, onKeyUp } };
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
