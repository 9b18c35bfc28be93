/**
 * Around the table of a file's lines: a button beside the line under the pointer, which comments on it, or on those over which it is
 * dragged. Several lines are also chosen by a click with Shift on a number, or by the arrow keys with Shift.
 */
import { Plus } from "lucide-react";
import {
  useEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { text } from "../../text/reviews.ts";
import type { LineName } from "../diffs/slots.ts";
import type { FileDiff } from "../diffs/source.ts";
import styles from "./line-picker.module.css";
import { cellsOf, lineAt } from "./line-of-cell.ts";
import { holdsLine, rangeBetween, type LineRange } from "./line-range.ts";
import { useReviewStore, useShownReview } from "./review-context.ts";
import type { ReviewStore } from "./review-store.ts";

export function LinePicker({ file, children }: { file: FileDiff; children: ReactNode }) {
  const { mergeRequest, hasOldSide } = useShownReview();
  const store = useReviewStore();
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useSelectionMarks(store, file.path, place);
  const open = (range: LineRange | undefined) => {
    if (range && (hasOldSide || range.side === "R"))
      store.openForm(file.path, { range, seen: mergeRequest.head_sha });
  };
  const lineOfButton = () => button.current?.dataset["of"] ?? "";
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    followDrag(
      lineOfButton(),
      (from, to) => {
        const range = rangeBetween(file.path, from, to);
        if (range) store.select(range);
      },
      () => open(store.selection()),
    );
  };
  const extend = useExtending(file.path, store, open);
  return (
    <div
      ref={place}
      className={styles.place}
      onPointerOver={({ target }) => {
        const name = lineAt(target);
        moveTo(button.current, hasOldSide || name?.startsWith("R") ? name : undefined, target);
      }}
      onPointerLeave={() => moveTo(button.current, undefined, null)}
      {...extend}
    >
      {children}
      <button
        ref={button}
        type="button"
        hidden
        tabIndex={-1}
        className={styles.add}
        title={text.addComment}
        aria-label={text.addComment}
        onPointerDown={press}
        onClick={({ detail }) => {
          // A pointer has done it already.
          if (detail === 0) open(rangeBetween(file.path, lineOfButton(), lineOfButton()));
        }}
      >
        <Plus size={14} aria-hidden />
      </button>
    </div>
  );
}

/** Beside the line, without drawing anything anew. */
function moveTo(
  button: HTMLButtonElement | null,
  name: LineName | undefined,
  target: EventTarget | null,
): void {
  const place = button?.parentElement;
  if (!button || !place || (target instanceof Node && button.contains(target))) return;
  const table = place.querySelector("table");
  const cell = name === undefined || !table ? undefined : cellsOf(table, name).at(-1);
  button.hidden = cell === undefined;
  if (!cell || name === undefined) return;
  const [box, around] = [cell.getBoundingClientRect(), place.getBoundingClientRect()];
  button.dataset["of"] = name;
  button.style.top = `${box.top - around.top}px`;
  button.style.left = `${box.left - around.left}px`;
}

/** Tells of each line that the pointer comes to, until it is let go. */
function followDrag(from: LineName, onLine: (from: LineName, to: LineName) => void, onEnd: () => void): void {
  onLine(from, from);
  const move = (event: globalThis.PointerEvent) => {
    const to = lineAt(document.elementFromPoint(event.clientX, event.clientY));
    if (to !== undefined) onLine(from, to);
  };
  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    onEnd();
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}

/** Clicks and arrow keys with Shift, from the number that was last chosen without it. */
function useExtending(path: string, store: ReviewStore, open: (range: LineRange | undefined) => void) {
  const from = useRef<LineName>(undefined);
  return {
    onClickCapture: (event: MouseEvent<HTMLElement>) => {
      const name = nameOfLink(event.target);
      if (name === undefined) return;
      if (!event.shiftKey) {
        from.current = name;
        return;
      }
      // The table puts the lines into the address.
      event.preventDefault();
      open(rangeBetween(path, from.current ?? name, name) ?? rangeBetween(path, name, name));
    },
    // The table has moved the focus by then.
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
      const [before, name] = [nameOfLink(event.target), nameOfLink(document.activeElement)];
      if (!isArrow || before === undefined || name === undefined) return;
      const selection = store.selection();
      const goesOn = selection?.path === path && holdsLine(selection, before);
      const begin = goesOn ? (from.current ?? before) : before;
      from.current = event.shiftKey ? begin : name;
      if (event.shiftKey || selection)
        store.select(event.shiftKey ? rangeBetween(path, begin, name) : undefined);
    },
  };
}

function nameOfLink(target: EventTarget | null): LineName | undefined {
  const link = target instanceof Element ? target.closest<HTMLElement>("a[data-line]") : null;
  return link?.dataset["line"];
}

/** Marks the chosen lines of the table where they stand: it may have thousands that need not be drawn anew. */
function useSelectionMarks(store: ReviewStore, path: string, place: { current: HTMLElement | null }): void {
  useEffect(() => {
    let marked: HTMLElement[] = [];
    let shown: LineRange | undefined;
    const mark = () => {
      const selection = store.selection();
      const next = selection?.path === path ? selection : undefined;
      if (next === shown) return;
      shown = next;
      for (const cell of marked) delete cell.dataset["selected"];
      const table = place.current?.querySelector("table");
      marked = table && next ? linesIn(table, next).flatMap((name) => cellsOf(table, name)) : [];
      for (const cell of marked) cell.dataset["selected"] = "";
    };
    mark();
    return store.subscribe(mark);
  }, [store, path, place]);
}

function linesIn(table: HTMLTableElement, range: LineRange): LineName[] {
  const links = table.querySelectorAll<HTMLElement>(`a[data-line^="${range.side}"]`);
  return [...links].flatMap(({ dataset: { line } }) => (line && holdsLine(range, line) ? [line] : []));
}
