/** The fields of a milestone. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/milestones.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";

export interface MilestoneFieldsProps {
  milestone?: Schemas["Milestone"];
  problems: Record<string, string>;
}

export function MilestoneFields({ milestone, problems }: MilestoneFieldsProps) {
  return (
    <>
      <TextField
        name="title"
        label={text.name}
        required
        maxLength={255}
        autoComplete="off"
        defaultValue={milestone?.title ?? ""}
        problem={problems["title"]}
      />
      <TextField
        name="due_on"
        type="date"
        label={text.due}
        hint={text.dueHint}
        max="9999-12-31"
        defaultValue={milestone?.due_on ?? ""}
        problem={problems["due_on"]}
      />
      <TextArea
        name="description"
        label={text.description}
        rows={3}
        maxLength={1000}
        defaultValue={milestone?.description ?? ""}
        problem={problems["description"]}
      />
    </>
  );
}

/** As a body of the API. A description is one line there. */
export function milestoneOf(values: FormValues) {
  return {
    title: values["title"] ?? "",
    description: (values["description"] ?? "").replaceAll(/\s*\n\s*/g, " "),
    due_on: values["due_on"] || null,
  };
}
