/** What the fields of times of mails say, as a body of the API. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { weekdays } from "@forgeline/client/generated/choices.ts";
import type { FormValues } from "../../ui/form.tsx";

type Settings = Schemas["NotificationSettings"];
export type MailTimes = Pick<Settings, "digest" | "digest_at" | "time_zone" | "quiet_hours">;

export function mailTimesOf(values: FormValues) {
  const { digest, digest_at: digestAt, time_zone: zone = "" } = values;
  const { quiet_from: from = "", quiet_to: to = "" } = values;
  const days = weekdays.filter((day) => values[`day_${day}`] !== undefined);
  return {
    digest: digest as Settings["digest"],
    ...(digestAt === undefined ? {} : { digest_at: digestAt }),
    time_zone: zone.trim(),
    quiet_hours: values["quiet"] === undefined ? null : { from, to, days },
  };
}
