/** Fields that rules for branches and rules for tags have in common. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repository-settings.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";

export interface RuleFieldsProps {
  problems: Record<string, string>;
  pattern?: string | undefined;
  level?: Schemas["PushLevel"] | undefined;
  levelLabel: string;
  users?: readonly string[] | undefined;
  teams?: readonly string[] | undefined;
  /** Rules for branches call their fields `push_…`, rules for tags `create_…`. */
  verb: "push" | "create";
}

export function RuleFields(props: RuleFieldsProps) {
  const { problems, pattern, level = "maintain", levelLabel, users = [], teams = [], verb } = props;
  const problemOf = (field: string) =>
    Object.entries(problems).find(([name]) => name.startsWith(`${verb}_${field}`))?.[1];
  return (
    <>
      <TextField
        name="pattern"
        label={text.pattern}
        hint={text.patternHint}
        defaultValue={pattern}
        required
        maxLength={100}
        autoCapitalize="off"
        spellCheck={false}
        problem={problems["pattern"]}
      />
      <SelectField name="level" label={levelLabel} defaultValue={level} problem={problemOf("level")}>
        {Object.entries(text.pushLevels).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
      <TextArea
        name="users"
        rows={1}
        label={text.besidesUsers}
        hint={text.namesHint}
        defaultValue={users.join(" ")}
        spellCheck={false}
        problem={problemOf("users")}
      />
      <TextArea
        name="teams"
        rows={1}
        label={text.besidesTeams}
        hint={text.teamsHint}
        defaultValue={teams.join(" ")}
        spellCheck={false}
        problem={problemOf("teams")}
      />
    </>
  );
}

/** Whom a rule lets, in a row of a table. */
export function describePushers(
  level: Schemas["PushLevel"],
  users: readonly string[],
  teams: readonly string[],
): string {
  const named = [...users, ...teams];
  if (level === "none" && named.length > 0) return named.join(", ");
  const word = level === "none" ? text.nobody : text.pushLevels[level];
  return [word, ...named].join(", ");
}
