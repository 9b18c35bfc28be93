/** Opens issues in a column, with its label and what the filters want: the field stays for the next one. */
import { useState } from "react";
import { Link } from "react-router";
import { fieldProblems } from "../../api/problem.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/boards.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { openOnBoard } from "./open-on-board.ts";
import type { Board, Column } from "./use-board.ts";

export interface AddIssueProps {
  board: Board;
  column: Column;
  q: string;
  onClose: () => void;
}

export function AddIssue({ board, column, q, onClose }: AddIssueProps) {
  const path = useRepositoryPath();
  const { full_name: fullName } = useRepository();
  const { username } = useSignedIn().user;
  const [added, setAdded] = useState(0);
  const [hidden, setHidden] = useState<number | null>(null);
  const create = useChange((title: string) => openOnBoard({ path, board, column, q, username }, title), {
    said: text.issueCreated,
    onDone: ({ number, isShown }) => {
      setAdded((before) => before + 1);
      setHidden(isShown ? null : number);
    },
  });
  // Also of what the filters want, such as somebody who cannot be assigned.
  const [problem] = Object.values(fieldProblems(create.error));
  return (
    <>
      <Form
        submit={text.addButton}
        state={create}
        onSubmit={(values) => create.mutate(values["title"] ?? "")}
        onCancel={onClose}
      >
        <TextField
          key={added}
          name="title"
          label={text.titleOf}
          hint={text.titleHint}
          required
          maxLength={255}
          autoComplete="off"
          autoFocus
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose();
          }}
          problem={problem}
        />
      </Form>
      {hidden === null ? null : (
        <Notice tone="warn">
          <Link to={`/${fullName}/issues/${hidden}`}>{text.hiddenByFilter(hidden)}</Link>
        </Notice>
      )}
    </>
  );
}
