/** When a mirror or a fork is synced: at an interval or by a cron line, and what that means for the API. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/mirrors.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import styles from "./time-fields.module.css";

type Times = Pick<Schemas["Mirror"], "interval_minutes" | "cron" | "timezone">;

interface FieldsProps {
  known?: Times | undefined;
  problems: Record<string, string>;
}

/** What is not chosen is switched off rather than left out, so that what was typed there stays. */
export function TimeFields({ known, problems }: FieldsProps) {
  const [byCron, setByCron] = useState(typeof known?.cron === "string");
  const choice = { name: "times", type: "radio" } as const;
  return (
    <FieldGroup legend={text.times}>
      <CheckField
        {...choice}
        value="interval"
        label={text.byInterval}
        checked={!byCron}
        onChange={() => setByCron(false)}
      />
      <fieldset className={styles.chosen} hidden={byCron} disabled={byCron}>
        <TextField
          name="interval"
          type="number"
          min={5}
          max={43_200}
          required
          label={text.interval}
          hint={text.intervalHint}
          defaultValue={known?.interval_minutes ?? 60}
          problem={problems["interval_minutes"]}
        />
      </fieldset>
      <CheckField
        {...choice}
        value="cron"
        label={text.byCron}
        checked={byCron}
        onChange={() => setByCron(true)}
      />
      <fieldset className={styles.chosen} hidden={!byCron} disabled={!byCron}>
        <CronFields known={known} problems={problems} />
      </fieldset>
    </FieldGroup>
  );
}

function CronFields({ known, problems }: FieldsProps) {
  return (
    <>
      <TextField
        name="cron"
        required
        label={text.cron}
        hint={text.cronHint}
        placeholder="15 3 * * *"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        defaultValue={known?.cron ?? ""}
        problem={problems["cron"]}
      />
      <TextField
        name="timezone"
        label={text.timezone}
        hint={text.timezoneHint}
        maxLength={64}
        autoComplete="off"
        defaultValue={known?.timezone ?? ""}
        problem={problems["timezone"]}
      />
    </>
  );
}

/** As part of a body; fields of what is not chosen are missing among the values. */
export function timesOf({ cron, timezone = "", interval }: FormValues) {
  if (cron === undefined) return { interval_minutes: Number(interval) };
  return { cron: cron.trim(), ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }) };
}

export function timesInWords({ interval_minutes: minutes, cron, timezone }: Times): string {
  return cron === null ? text.every(minutes ?? 0) : `${cron} ${timezone}`;
}
