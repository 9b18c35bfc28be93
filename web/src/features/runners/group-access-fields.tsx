/** The fields of who may use a group of runners. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runner-groups.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import { namesOf } from "./group-access.ts";

interface GroupAccessFieldsProps {
  isOrganizations: boolean;
  group?: Schemas["RunnerGroup"];
  problems: Record<string, string>;
}

export function GroupAccessFields({ isOrganizations, group, problems }: GroupAccessFieldsProps) {
  const [chosen, setChosen] = useState<string>(group?.access ?? "all");
  const choices = { all: text.all, selected: text.selected };
  const problem = Object.entries(problems).find(([field]) => /^(owners|repositories)(\.|$)/.test(field))?.[1];
  return (
    <FieldGroup legend={text.access}>
      {Object.entries(choices).map(([value, label]) => (
        <CheckField
          key={value}
          type="radio"
          name="access"
          value={value}
          label={label}
          checked={chosen === value}
          onChange={() => setChosen(value)}
        />
      ))}
      {chosen === "selected" ? (
        <TextField
          name="names"
          label={isOrganizations ? text.organizationNamesField : text.namesField}
          hint={isOrganizations ? text.organizationNamesHint : text.namesHint}
          autoComplete="off"
          spellCheck={false}
          defaultValue={group && namesOf(group)}
          problem={problem}
        />
      ) : null}
    </FieldGroup>
  );
}
