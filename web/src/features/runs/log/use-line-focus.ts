/**
 * The numbers of a log's lines are one stop of the Tab key: the line that was there last or, where that one is not drawn, the
 * first that can be seen. Arrows, page keys, Home and End continue from it, over what is folded.
 */
import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { rowHeight, type SectionLayout } from "./layout.ts";
import type { Found } from "./log-search.ts";

const rowsPerPage = 20;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: rowsPerPage,
  PageUp: -rowsPerPage,
  End: Infinity,
  Home: -Infinity,
};

export interface LineFocusOptions {
  sections: readonly SectionLayout[];
  /** Pixels of the whole log: where what can be seen begins, and between which rows are drawn. */
  top: number;
  drawn: { from: number; to: number };
  scroller: RefObject<HTMLElement | null>;
  /** Scrolls there. */
  show: (place: Found) => void;
}

/** Each link to a line has `data-stream` and `data-line`. */
export function useLineFocus({ sections, top, drawn, scroller, show }: LineFocusOptions) {
  const [last, setLast] = useState<Found | null>(null);
  const isWanted = useRef(false);
  const hadFocus = useRef(false);
  const stop = drawnPlace(sections, last, drawn) ?? firstSeen(sections, top);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (isWanted.current && last) {
      const link = element?.querySelector<HTMLElement>(
        `a[data-stream="${last.stream}"][data-line="${last.line}"]`,
      );
      link?.focus({ preventScroll: true });
      if (link) isWanted.current = false;
      // What had the focus has been scrolled away: Tab continues from here all the same.
    } else if (hadFocus.current && document.activeElement === document.body)
      element?.focus({ preventScroll: true });
  });

  const onFocus = ({ target }: FocusEvent) => {
    const place = lineOfLink(target);
    hadFocus.current = place !== null;
    if (place) setLast(place);
  };
  const onBlur = () => {
    hadFocus.current = isWanted.current;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const from = lineOfLink(event.target as Element);
    if (!from || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = placeAfter(sections, from, step);
    if (!to) return;
    isWanted.current = true;
    setLast(to);
    show(to);
  };
  return { stop, onFocus, onBlur, onKeyDown };
}

function lineOfLink(element: Element): Found | null {
  const { stream, line } = (element as HTMLElement).dataset;
  return stream === undefined || line === undefined ? null : { stream, line: Number(line) };
}

/** The row that shows `place`, if it is drawn. */
function drawnPlace(
  sections: readonly SectionLayout[],
  place: Found | null,
  drawn: LineFocusOptions["drawn"],
): Found | null {
  const section = sections.find(({ key }) => key === place?.stream);
  if (!place || !section || section.rows.count === 0) return null;
  const row = section.rows.rowOf(place.line);
  const at = section.top + row * rowHeight;
  return at >= drawn.from && at + rowHeight <= drawn.to ? placeAt(section, row) : null;
}

/** The head of a section covers as much as it is tall itself. */
function firstSeen(sections: readonly SectionLayout[], top: number): Found | null {
  for (const section of sections) {
    const row = Math.max(0, Math.ceil((top - section.top) / rowHeight));
    if (row < section.rows.count) return placeAt(section, row);
  }
  return null;
}

/** So many rows further, through all sections; the first or last one where there are fewer. */
function placeAfter(sections: readonly SectionLayout[], from: Found, step: number): Found | null {
  const filled = sections.filter(({ rows }) => rows.count > 0);
  let index = filled.findIndex(({ key }) => key === from.stream);
  const section = filled[index];
  if (!section) return null;
  let row = section.rows.rowOf(from.line) + step;
  const countAt = (at: number) => filled[at]?.rows.count ?? 0;
  for (; row < 0 && index > 0; index -= 1) row += countAt(index - 1);
  for (; row >= countAt(index) && index < filled.length - 1; index += 1) row -= countAt(index);
  const found = filled[index];
  return found ? placeAt(found, Math.min(found.rows.count - 1, Math.max(0, row))) : null;
}

function placeAt(section: SectionLayout, row: number): Found {
  return { stream: section.key, line: section.rows.lineAt(row) };
}
