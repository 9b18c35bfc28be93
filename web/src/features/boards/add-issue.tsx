/** Opens issues in a column, with its label: the field stays for the next one. */
import { useState } from "react";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/boards.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { Column } from "./use-board.ts";

export function AddIssue({ column, onClose }: { column: Column; onClose: () => void }) {
  const path = useRepositoryPath();
  const labels = column.label ? [column.label.name] : [];
  const [added, setAdded] = useState(0);
  const create = useChange(
    (title: string) =>
      api.POST("/repos/{owner}/{repo}/issues", { params: { path }, body: { title, labels } }),
    { said: text.issueCreated, onDone: () => setAdded((before) => before + 1) },
  );
  return (
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
        problem={fieldProblems(create.error)["title"]}
      />
    </Form>
  );
}
