/** Chooses how many days statistics are about. */
import { text } from "../../text/run-statistics.ts";
import { SelectField } from "../../ui/field.tsx";
import type { PeriodChoice } from "./use-period.ts";

export function PeriodField({ days, choose }: PeriodChoice) {
  return (
    <SelectField
      label={text.period}
      value={String(days)}
      onChange={(event) => choose({ days: event.target.value })}
    >
      {Object.entries(text.periods).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
