/** The fields of an environment's protection, in the form that creates one and in its settings. */
import { approvalLevels } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/environments.ts";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";

type Protection = Schemas["EnvironmentProtection"];

const lists = [
  { name: "branches", label: text.branches, hint: text.branchesHint },
  { name: "tags", label: text.tags, hint: text.tagsHint },
  { name: "approvers", label: text.approvers, hint: text.approversHint },
] as const;
const numbers = [
  { name: "count", label: text.count, hint: text.countHint, max: 10 },
  { name: "wait_minutes", label: text.wait, hint: text.waitHint, max: 43_200 },
] as const;

export function ProtectionFields({
  protection,
  allowShell = false,
  problems,
}: {
  protection?: Protection;
  allowShell?: boolean;
  problems: Record<string, string>;
}) {
  return (
    <>
      {lists.map(({ name, ...field }) => (
        <TextField
          key={name}
          name={`protection.${name}`}
          {...field}
          autoComplete="off"
          spellCheck={false}
          defaultValue={protection?.[name].join(", ")}
          problem={problemOf(problems, name)}
        />
      ))}
      <SelectField
        name="protection.level"
        label={text.level}
        hint={text.levelHint}
        defaultValue={protection?.level ?? ""}
        problem={problemOf(problems, "level")}
      >
        <option value="">{text.levelUsual}</option>
        {approvalLevels.map((level) => (
          <option key={level} value={level}>
            {text.levels[level]}
          </option>
        ))}
      </SelectField>
      {numbers.map(({ name, ...field }) => (
        <TextField
          key={name}
          name={`protection.${name}`}
          {...field}
          type="number"
          min={0}
          required
          defaultValue={protection?.[name] ?? 0}
          problem={problemOf(problems, name)}
        />
      ))}
      <CheckField
        name="protection.allow_self"
        label={text.allowSelf}
        defaultChecked={protection?.allow_self ?? true}
        problem={problemOf(problems, "allow_self")}
      />
      <CheckField
        name="protection.refuse_older"
        label={text.refuseOlder}
        defaultChecked={protection?.refuse_older ?? false}
        problem={problemOf(problems, "refuse_older")}
      />
      <CheckField
        name="allow_shell"
        label={text.allowShell}
        defaultChecked={allowShell}
        problem={problems["allow_shell"]}
      />
    </>
  );
}

/** Of the field, or of one item of its list. */
function problemOf(problems: Record<string, string>, name: string): string | undefined {
  const field = `protection.${name}`;
  return problems[field] ?? Object.entries(problems).find(([key]) => key.startsWith(`${field}.`))?.[1];
}
