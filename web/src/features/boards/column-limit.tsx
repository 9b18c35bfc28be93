/** How many issues are wanted in a column at most: set by those who may change the board, and a warning for everybody above it. */
import { maxColumnLimit } from "@forgeline/client/generated/choices.ts";
import { Gauge, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/boards.ts";
import { IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./column-limit.module.css";
import { boardAddress, type Board, type Column } from "./use-board.ts";
import { columnName } from "./use-columns.ts";

export function LimitWarning({ total, limit }: { total: number | undefined; limit: number | null }) {
  if (total === undefined || limit === null || total <= limit) return null;
  return (
    <p className={styles.warning}>
      <TriangleAlert size={14} aria-hidden /> {text.above(total - limit)}
    </p>
  );
}

export function LimitButton({ board, column }: { board: Board; column: Column }) {
  const [open, setOpen] = useState(false);
  const name = columnName(column);
  return (
    <>
      <IconButton label={text.limitOf(name)} onClick={() => setOpen(true)}>
        <Gauge size={16} aria-hidden />
      </IconButton>
      {open ? <LimitDialog {...{ board, column, name }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface LimitDialogProps {
  board: Board;
  column: Column;
  name: string;
  onClose: () => void;
}

function LimitDialog({ board, column, name, onClose }: LimitDialogProps) {
  const path = { ...useRepositoryPath(), id: board.id };
  const change = useChange(
    (most: string) => {
      const max_issues = most === "" ? null : Number(most);
      return api.PATCH(boardAddress, {
        params: { path },
        body: { limits: [{ column: name, max_issues }] },
      });
    },
    { said: text.limitSaved, onDone: onClose },
  );
  const problems = Object.values(fieldProblems(change.error));
  return (
    <Dialog open title={text.limitOf(name)} onClose={onClose}>
      <Form
        submit={text.save}
        state={change}
        onSubmit={(values) => change.mutate(values["most"] ?? "")}
        onCancel={onClose}
      >
        <TextField
          name="most"
          type="number"
          min={1}
          max={maxColumnLimit}
          step={1}
          label={text.limit}
          hint={text.limitHint}
          autoComplete="off"
          autoFocus
          defaultValue={column.max_issues ?? ""}
          problem={problems[0]}
        />
      </Form>
    </Dialog>
  );
}
