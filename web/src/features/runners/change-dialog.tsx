/** Name, labels and capacity of a runner: as whoever runs it wants them, or as the runner says of itself. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/runners.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { GroupSelect } from "./group-select.tsx";
import { runnersKey } from "./use-runners.ts";

type Runner = Schemas["Runner"];

export function ChangeDialog({ runner, onClose }: { runner: Runner; onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Schemas["RunnerUpdate"]) =>
      api.PATCH("/runners/{id}", { params: { path: { id: runner.id } }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [runnersKey] });
      showToast(text.changed);
      onClose();
    },
  });
  const problems = fieldProblems(change.error);
  return (
    <Dialog open onClose={onClose} title={text.changeTitle(runner.name)}>
      <Form
        submit={text.save}
        state={change}
        onCancel={onClose}
        onSubmit={(values) => change.mutate(updateOf(runner, values))}
      >
        <TextField
          label={text.name}
          name="name"
          problem={problems["name"]}
          defaultValue={runner.name}
          maxLength={100}
          required
        />
        {runner.repository === null ? (
          <GroupSelect
            of={runner.organization === null ? null : { org: runner.organization }}
            chosen={runner.group?.id ?? ""}
            problem={problems["group"]}
          />
        ) : null}
        <KeepOrSet
          name="labels"
          legend={text.labels}
          own={text.ownLabels}
          set={text.setLabels}
          field={{
            label: text.labelsField,
            hint: text.labelsHint,
            problem: problemOfList(problems, "labels"),
            defaultValue: runner.labels.join(", "),
          }}
        />
        <KeepOrSet
          name="capacity"
          legend={text.capacity}
          own={text.ownCapacity}
          set={text.setCapacity}
          field={{
            label: text.capacityField,
            problem: problems["capacity"],
            type: "number",
            min: 1,
            max: 1000,
            required: true,
            defaultValue: runner.capacity,
          }}
        />
      </Form>
    </Dialog>
  );
}

interface KeepOrSetProps {
  name: string;
  legend: string;
  own: string;
  set: string;
  field: Parameters<typeof TextField>[0];
}

/** The API does not say whose word holds now, so what is not chosen again is not sent. */
function KeepOrSet({ name, legend, own, set, field }: KeepOrSetProps) {
  const [choice, setChoice] = useState("keep");
  const choices = { keep: text.keep, own, set };
  return (
    <FieldGroup legend={legend}>
      {Object.entries(choices).map(([value, label]) => (
        <CheckField
          key={value}
          type="radio"
          name={`${name}-choice`}
          value={value}
          label={label}
          checked={choice === value}
          onChange={() => setChoice(value)}
        />
      ))}
      {choice === "set" ? <TextField name={name} {...field} /> : null}
    </FieldGroup>
  );
}

function updateOf(runner: Runner, values: FormValues): Schemas["RunnerUpdate"] {
  const { name = "", labels = "", capacity, group } = values;
  const isMoved = group !== undefined && group !== (runner.group?.id ?? "");
  const labelsChoice = values["labels-choice"];
  const capacityChoice = values["capacity-choice"];
  return {
    name,
    ...(isMoved ? { group: group || null } : {}),
    ...(labelsChoice === "own" ? { labels: null } : {}),
    ...(labelsChoice === "set" ? { labels: labels.split(/[\s,]+/).filter(Boolean) } : {}),
    ...(capacityChoice === "own" ? { capacity: null } : {}),
    ...(capacityChoice === "set" ? { capacity: Number(capacity) } : {}),
  };
}

/** The server names each element of a list. */
function problemOfList(problems: Record<string, string>, name: string): string | undefined {
  const field = Object.keys(problems).find((key) => key === name || key.startsWith(`${name}.`));
  return field === undefined ? undefined : problems[field];
}
