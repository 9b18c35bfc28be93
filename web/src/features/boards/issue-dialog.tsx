/** Changes an issue without leaving the board: its column, and what stands beside it on its own page. A choice counts at once. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { text } from "../../text/boards.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useIssueCalls } from "../issues/use-issue-calls.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { SideColumn } from "../work-items/side-column.tsx";
import { sideBody } from "../work-items/side-values.ts";
import styles from "./issue-dialog.module.css";
import { columnOf } from "./column-of.ts";
import { useIsMoving, type Board, type Issue } from "./use-board.ts";
import { columnName } from "./use-columns.ts";

export interface IssueDialogProps {
  issue: Issue;
  /** Where it stood, or is being moved. */
  column: string;
  board: Board;
  /** To the top of a column. */
  onMove: (column: string) => void;
  onClose: () => void;
}

export function IssueDialog({ issue, column, board, onMove, onClose }: IssueDialogProps) {
  const { full_name: fullName } = useRepository();
  const calls = useIssueCalls(issue.number);
  // The board may leave it out meanwhile, where its filter does not find it any more.
  const newest = useQuery({ queryKey: calls.key, queryFn: calls.read });
  const isMoving = useIsMoving(board.id);
  const stands = isMoving || !newest.data ? column : columnOf(newest.data, board.columns, column);
  return (
    <Dialog open title={text.card(issue.number, issue.title)} onClose={onClose}>
      <div className={styles.parts}>
        <Link to={`/${fullName}/issues/${issue.number}`}>{text.openIssue}</Link>
        <SelectField label={text.column} value={stands} onChange={(event) => onMove(event.target.value)}>
          {board.columns.map((each) => (
            <option key={each.id} value={each.id}>
              {columnName(each)}
            </option>
          ))}
        </SelectField>
        <QueryView query={newest}>
          {(found) => (
            <SideColumn
              values={found}
              mayTriage={found.viewer_may.triage}
              isOpen={found.state === "open"}
              people={found.author ? [found.author] : []}
              save={(change) => calls.change(sideBody(change))}
            />
          )}
        </QueryView>
      </div>
    </Dialog>
  );
}
