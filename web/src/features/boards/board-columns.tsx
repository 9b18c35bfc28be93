/** The columns side by side, and what moves between them: by pointer and by keyboard, told to screen readers. */
import { useEffect, useId, type ReactNode } from "react";
import { text } from "../../text/boards.ts";
import { BoardColumn } from "./board-column.tsx";
import styles from "./board-columns.module.css";
import { Card } from "./card.tsx";
import { targetAt } from "./target.ts";
import { useMove, type Board, type Column, type Issue } from "./use-board.ts";
import { columnName, useColumnView, useShownIssues } from "./use-columns.ts";
import { useLift, type Lift } from "./use-lift.ts";

export function BoardColumns({ board, q }: { board: Board; q: string }) {
  const { columns } = board;
  const { move: mayMove } = board.viewer_may;
  const { shown, tell } = useShownIssues();
  const { mutate: move } = useMove(board.id, q);
  const hintId = useId();
  const lifting = useLift(
    columns.map((column) => ({ id: column.id, name: columnName(column), issues: shown[column.id] ?? [] })),
    (wanted, onEnd) => move(wanted, { onSettled: onEnd }),
  );
  const columnLabels = new Set(columns.map(({ id }) => id));
  const drop = (to: string) => (dragged: { number: number; column: string }, index: number) => {
    const issue = shown[dragged.column]?.find(({ number }) => number === dragged.number);
    if (!issue) return;
    const numbers = (shown[to] ?? []).map(({ number }) => number);
    const before = numbers.indexOf(issue.number);
    const place = before !== -1 && before < index ? index - 1 : index;
    if (to === dragged.column && place === before) return;
    move({ issue, from: dragged.column, to: targetAt(to, numbers, { number: issue.number, index: place }) });
  };
  return (
    <>
      <p id={hintId} hidden>
        {text.keyboard}
      </p>
      <div className="visually-hidden" role="status" aria-live="assertive">
        {lifting.said}
      </div>
      <div className={styles.columns} role="region" aria-label={text.board} tabIndex={0}>
        {columns.map((column) => (
          <OneColumn
            key={column.id}
            {...{ board, column, q, mayMove, tell, lift: lifting.lift }}
            onDrop={drop(column.id)}
            drawCard={(issue) => (
              <Card
                issue={issue}
                column={column.id}
                columnLabels={columnLabels}
                isLifted={lifting.lift?.issue.number === issue.number}
                isLanded={lifting.landed === issue.number}
                onKeyDown={mayMove ? (event) => lifting.press(event, issue, column.id) : undefined}
                onLeave={lifting.cancel}
                hintId={hintId}
              />
            )}
          />
        ))}
      </div>
    </>
  );
}

interface OneColumnProps {
  board: Board;
  column: Column;
  q: string;
  mayMove: boolean;
  lift: Lift | null;
  tell: (column: string, issues: readonly Issue[]) => void;
  onDrop: (dragged: { number: number; column: string }, index: number) => void;
  drawCard: (issue: Issue) => ReactNode;
}

function OneColumn({ board, column, q, mayMove, lift, tell, onDrop, drawCard }: OneColumnProps) {
  const view = useColumnView(board.id, column, q);
  useEffect(() => tell(column.id, view.issues));
  return (
    <BoardColumn
      view={view}
      shown={withLifted(view.issues, column.id, lift)}
      {...{ mayMove, drawCard, onDrop }}
    />
  );
}

/** What is carried stands where it would be put down, and nowhere else. */
function withLifted(issues: readonly Issue[], column: string, lift: Lift | null): readonly Issue[] {
  if (!lift) return issues;
  const others = issues.filter(({ number }) => number !== lift.issue.number);
  return column === lift.to.column ? others.toSpliced(lift.to.index, 0, lift.issue) : others;
}
