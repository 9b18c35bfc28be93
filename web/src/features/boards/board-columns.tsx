/** The columns side by side, and what moves between them: by pointer and by keyboard, told to screen readers. */
import { useEffect, useId, useState, type ReactNode } from "react";
import { isNotFound } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/boards.ts";
import { BoardColumn } from "./board-column.tsx";
import styles from "./board-columns.module.css";
import { Card } from "./card.tsx";
import { IssueDialog } from "./issue-dialog.tsx";
import { targetAt } from "./target.ts";
import { boardAddress, useMove, type Board, type Column, type Issue } from "./use-board.ts";
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
  const [changed, change] = useState<Held | null>(null);
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
            {...{ board, column, q, tell, lift: lifting.lift }}
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
                onChange={() => change({ issue, column: column.id })}
                hintId={hintId}
              />
            )}
          />
        ))}
      </div>
      {changed ? (
        <IssueDialog
          {...changed}
          board={board}
          onMove={(to) => {
            const { issue, column: from } = changed;
            const numbers = (shown[to] ?? []).map(({ number }) => number);
            move({ issue, from, to: targetAt(to, numbers, { number: issue.number, index: 0 }) });
            change({ issue, column: to });
          }}
          onClose={() => change(null)}
        />
      ) : null}
    </>
  );
}

/** What the dialog is about, and where it stood when it was opened. */
interface Held {
  issue: Issue;
  column: string;
}

interface OneColumnProps {
  board: Board;
  column: Column;
  q: string;
  lift: Lift | null;
  tell: (column: string, issues: readonly Issue[]) => void;
  onDrop: (dragged: { number: number; column: string }, index: number) => void;
  drawCard: (issue: Issue) => ReactNode;
}

function OneColumn({ board, column, q, lift, tell, onDrop, drawCard }: OneColumnProps) {
  const view = useColumnView(board, column, q);
  useEffect(() => tell(column.id, view.issues));
  const isGone = isNotFound(view.error);
  useEffect(() => {
    // Somebody deleted the label, or took the column away.
    if (isGone) void queryClient.invalidateQueries({ queryKey: ["get", boardAddress] });
  }, [isGone]);
  return (
    <BoardColumn
      view={view}
      shown={withLifted(view.issues, column.id, lift)}
      {...{ board, q, drawCard, onDrop }}
    />
  );
}

/** What is carried stands where it would be put down, and nowhere else. */
function withLifted(issues: readonly Issue[], column: string, lift: Lift | null): readonly Issue[] {
  if (!lift) return issues;
  const others = issues.filter(({ number }) => number !== lift.issue.number);
  return column === lift.to.column ? others.toSpliced(lift.to.index, 0, lift.issue) : others;
}
