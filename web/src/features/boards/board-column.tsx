/** A column of a board: what it is called, how many issues it has, and these, fetched as somebody scrolls. */
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { Plus } from "lucide-react";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import { text } from "../../text/boards.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/size.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { AddIssue } from "./add-issue.tsx";
import styles from "./board-column.module.css";
import { LimitButton, LimitWarning } from "./column-limit.tsx";
import type { ColumnView } from "./use-columns.ts";
import type { Board, Issue } from "./use-board.ts";

export interface BoardColumnProps {
  view: ColumnView;
  /** What it shows now, with what is carried over it. */
  shown: readonly Issue[];
  board: Board;
  /** What narrows it for the viewer. */
  q: string;
  drawCard: (issue: Issue) => ReactNode;
  onDrop: (dragged: { number: number; column: string }, index: number) => void;
}

export function BoardColumn({ view, shown, board, q, drawCard, onDrop }: BoardColumnProps) {
  const { move: mayMove } = board.viewer_may;
  const { column, name, total, limit, error, hasMore, isLoading, fetchMore } = view;
  const [isAdding, setAdding] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const over = useDropTarget(list, { isOn: mayMove, onDrop });
  return (
    <section className={styles.column} aria-label={name}>
      <Head
        view={view}
        board={board}
        onAdd={mayMove && column.kind !== "closed" ? () => setAdding(true) : undefined}
      />
      <LimitWarning total={total} limit={limit} />
      {isAdding ? <AddIssue {...{ board, column, q }} onClose={() => setAdding(false)} /> : null}
      <div ref={list} className={styles.list} data-over={over === null ? undefined : true}>
        {error ? <ProblemNotice error={error} /> : null}
        {isLoading ? <Skeleton lines={3} /> : null}
        {!isLoading && !error && shown.length === 0 ? (
          <p className={styles.empty}>{text.emptyColumn}</p>
        ) : null}
        <ul>
          {shown.map((issue, index) => (
            <Fragment key={issue.id}>
              {over === index ? <li className={styles.line} aria-hidden /> : null}
              {drawCard(issue)}
            </Fragment>
          ))}
          {over !== null && over >= shown.length ? <li className={styles.line} aria-hidden /> : null}
        </ul>
        {hasMore ? <More busy={view.isFetchingMore} fetchMore={fetchMore} within={list} /> : null}
      </div>
    </section>
  );
}

interface HeadProps extends Pick<BoardColumnProps, "view" | "board"> {
  onAdd: (() => void) | undefined;
}

function Head({ view, board, onAdd }: HeadProps) {
  const { column, name, total, limit } = view;
  return (
    <header className={styles.head}>
      <h2>{column.label ? <LabelChip {...column.label} /> : name}</h2>
      {total === undefined ? null : (
        <span title={text.countOf(total, limit)} data-above={limit !== null && total > limit}>
          <span aria-hidden>
            {formatCount(total)}
            {limit === null ? null : `/${formatCount(limit)}`}
          </span>
          <span className="visually-hidden">{text.countOf(total, limit)}</span>
        </span>
      )}
      {board.viewer_may.manage && column.kind === "label" ? (
        <LimitButton board={board} column={column} />
      ) : null}
      {onAdd ? (
        <IconButton label={text.addIssue(name)} onClick={onAdd}>
          <Plus size={16} aria-hidden />
        </IconButton>
      ) : null}
    </header>
  );
}

/** Fetched when it comes into sight; a button, since not everybody scrolls. */
function More(props: {
  busy: boolean;
  fetchMore: () => void;
  within: React.RefObject<HTMLDivElement | null>;
}) {
  const { busy, fetchMore, within } = props;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (busy || !end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchMore(), {
      root: within.current,
      rootMargin: "200px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [busy, fetchMore, within]);
  return (
    <div ref={end}>
      <Button busy={busy} onClick={fetchMore}>
        {text.more}
      </Button>
    </div>
  );
}

/** Where a card would come to stand that is dragged over the column; null: none is. */
function useDropTarget(
  list: React.RefObject<HTMLDivElement | null>,
  { isOn, onDrop }: { isOn: boolean; onDrop: BoardColumnProps["onDrop"] },
): number | null {
  const [over, setOver] = useState<number | null>(null);
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  useEffect(() => {
    const element = list.current;
    if (!isOn || !element) return undefined;
    return dropTargetForElements({
      element,
      onDrag: ({ location }) => setOver(indexAt(element, location.current.input.clientY)),
      onDragLeave: () => setOver(null),
      onDrop: ({ source, location }) => {
        setOver(null);
        const { number, column } = source.data;
        if (typeof number === "number" && typeof column === "string")
          latest.current({ number, column }, indexAt(element, location.current.input.clientY));
      },
    });
  }, [isOn, list]);
  return over;
}

/** Before the first card whose middle is below. */
function indexAt(list: HTMLElement, y: number): number {
  const cards = [...list.querySelectorAll("[data-number]")];
  const index = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return index === -1 ? cards.length : index;
}
