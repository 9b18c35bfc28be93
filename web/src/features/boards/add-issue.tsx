/** Opens an issue in a column, with its label. */
import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/boards.ts";
import { IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./add-issue.module.css";
import type { Column } from "./use-board.ts";

export function AddIssue({ column, name }: { column: Column; name: string }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <NewIssue column={column} onClose={() => setOpen(false)} />;
  return (
    <div className={styles.add}>
      <IconButton label={text.addIssue(name)} onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

function NewIssue({ column, onClose }: { column: Column; onClose: () => void }) {
  const path = useRepositoryPath();
  const labels = column.label ? [column.label.name] : [];
  const create = useChange(
    (title: string) =>
      api.POST("/repos/{owner}/{repo}/issues", { params: { path }, body: { title, labels } }),
    { said: text.issueCreated, onDone: onClose },
  );
  return (
    <Form
      submit={text.addButton}
      state={create}
      onSubmit={(values) => create.mutate(values["title"] ?? "")}
      onCancel={onClose}
    >
      <TextField
        name="title"
        label={text.titleOf}
        required
        maxLength={255}
        autoComplete="off"
        autoFocus
        problem={fieldProblems(create.error)["title"]}
      />
    </Form>
  );
}
