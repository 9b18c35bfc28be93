/** The fields of a schedule, in the form that adds it and in the one that changes it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/schedules.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { VariableRows, variablesOf } from "../pipelines/variable-rows.tsx";
import { InputRows, inputsOf } from "./input-rows.tsx";

type Schedule = Schemas["Schedule"];

const plain = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;

export function ScheduleFields({
  schedule,
  problems,
}: {
  schedule?: Schedule;
  problems: Record<string, string>;
}) {
  const field = (name: "name" | "cron" | "timezone" | "ref" | "pipeline") => ({
    name,
    label: text[name],
    problem: problems[name],
    ...plain,
  });
  return (
    <>
      <TextField {...field("name")} required maxLength={200} defaultValue={schedule?.name ?? ""} />
      <TextField
        {...field("cron")}
        hint={text.cronHint}
        placeholder="0 3 * * *"
        required
        maxLength={200}
        defaultValue={schedule?.cron ?? ""}
      />
      <TextField
        {...field("timezone")}
        hint={text.timezoneHint}
        maxLength={64}
        defaultValue={schedule?.timezone ?? ownTimeZone()}
      />
      <TextField {...field("ref")} hint={text.refHint} maxLength={255} defaultValue={schedule?.ref ?? ""} />
      <TextField
        {...field("pipeline")}
        hint={text.pipelineHint}
        maxLength={256}
        defaultValue={schedule?.pipeline ?? ""}
      />
      <SelectField name="if_missed" label={text.ifMissed} defaultValue={schedule?.if_missed ?? "skip"}>
        {Object.entries(text.ifMissedChoices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <InputRows known={schedule?.inputs ?? {}} problems={problems} />
      <VariableRows known={schedule?.variables ?? {}} />
    </>
  );
}

/** That of the browser. */
function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** As a body of the API. */
export function scheduleOf(values: FormValues) {
  const text = (name: string) => values[name]?.trim() ?? "";
  const ifMissed = text("if_missed") === "run_once" ? "run_once" : "skip";
  return {
    name: text("name"),
    cron: text("cron"),
    timezone: text("timezone") || "UTC",
    ref: text("ref") || null,
    pipeline: text("pipeline") || null,
    if_missed: ifMissed,
    inputs: inputsOf(values),
    variables: variablesOf(values),
  } as const;
}
