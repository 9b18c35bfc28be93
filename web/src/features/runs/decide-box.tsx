/** The comment of a decision above the buttons that make it. */
import type { ReactNode } from "react";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/approvals.ts";
import { TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import styles from "./approvals.module.css";

export interface DecideBoxProps {
  comment: string;
  onComment: (comment: string) => void;
  /** Of the decision that was refused last. */
  error: Error | null;
  children: ReactNode;
}

export function DecideBox({ comment, onComment, error, children }: DecideBoxProps) {
  return (
    <>
      <div className={styles.decide}>
        <div className={styles.comment}>
          <TextField
            label={text.comment}
            hint={text.commentHint}
            maxLength={1000}
            value={comment}
            onChange={(event) => onComment(event.target.value)}
            problem={fieldProblems(error)["comment"]}
          />
        </div>
        {children}
      </div>
      {error ? <ProblemNotice error={error} /> : null}
    </>
  );
}
