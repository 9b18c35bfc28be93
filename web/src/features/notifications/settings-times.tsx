/** When mails are sent: at once or together, and not in quiet hours. */
import { useState } from "react";
import { mailDigests, weekdays } from "@forgeline/client/generated/choices.ts";
import { text } from "../../text/notification-settings.ts";
import { CheckField, FieldGroup, SelectField, TextField } from "../../ui/field.tsx";
import type { MailTimes } from "./mail-times.ts";

interface TimesProps {
  known: MailTimes;
  problems: Record<string, string>;
}

const zones = Intl.supportedValuesOf("timeZone");
const zoneList = "notification-time-zones";

export function TimeFields({ known, problems }: TimesProps) {
  const [digest, setDigest] = useState<string>(known.digest);
  return (
    <FieldGroup legend={text.when}>
      <SelectField
        name="digest"
        label={text.digest}
        value={digest}
        onChange={({ target }) => setDigest(target.value)}
      >
        {mailDigests.map((each) => (
          <option key={each} value={each}>
            {text.digests[each]}
          </option>
        ))}
      </SelectField>
      {digest === "daily" ? (
        <TimeField
          name="digest_at"
          label={text.digestAt}
          defaultValue={known.digest_at}
          problem={problems["digest_at"]}
        />
      ) : null}
      <TextField
        name="time_zone"
        required
        label={text.timeZone}
        hint={text.timeZoneHint}
        maxLength={64}
        autoComplete="off"
        list={zoneList}
        defaultValue={known.time_zone}
        problem={problems["time_zone"]}
      />
      <datalist id={zoneList}>
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </FieldGroup>
  );
}

const usual = { from: "22:00", to: "07:00", days: weekdays };

export function QuietFields({ known, problems }: TimesProps) {
  const [isOn, setOn] = useState(known.quiet_hours !== null);
  const { from, to, days } = known.quiet_hours ?? usual;
  return (
    <FieldGroup legend={text.quiet} problem={problems["quiet_hours.days"]}>
      <CheckField
        name="quiet"
        label={text.quietOn}
        hint={text.quietHint}
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
      {isOn ? (
        <>
          <TimeField
            name="quiet_from"
            label={text.from}
            defaultValue={from}
            problem={problems["quiet_hours.from"]}
          />
          <TimeField
            name="quiet_to"
            label={text.to}
            hint={text.toHint}
            defaultValue={to}
            problem={problems["quiet_hours.to"]}
          />
          <FieldGroup legend={text.days}>
            {weekdays.map((day) => (
              <CheckField
                key={day}
                name={`day_${day}`}
                label={text.day[day]}
                defaultChecked={days.includes(day)}
              />
            ))}
          </FieldGroup>
        </>
      ) : null}
    </FieldGroup>
  );
}

/** Not of the type `time`: browsers show its hours as their own language has them, and each part is a stop of its own. */
function TimeField(props: {
  name: string;
  label: string;
  hint?: string;
  defaultValue: string;
  problem: string | undefined;
}) {
  return (
    <TextField
      {...props}
      required
      pattern="([01][0-9]|2[0-3]):[0-5][0-9]"
      placeholder="08:00"
      title={text.timeForm}
      maxLength={5}
      autoComplete="off"
    />
  );
}
