/** The options `--quiet` and `--quiet-days`: hours in which no mails are sent. */
import { weekdays } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { UsageError } from "../../connection/settings.ts";

type QuietHours = Schemas["QuietHours"];

/** Undefined if not given. Throws `UsageError`. */
export function quietHours({
  quiet,
  quietDays,
}: {
  quiet?: string;
  quietDays?: string;
}): QuietHours | null | undefined {
  if (quiet === undefined && quietDays !== undefined)
    throw new UsageError("--quiet-days needs --quiet, which says from when to when");
  if (quiet === undefined) return undefined;
  if (quiet === "off") return null;
  const [from, to] = quiet.split("-");
  if (!from || !to) throw new UsageError("--quiet takes FROM-TO, such as 22:00-07:00, or `off`");
  return { from, to, days: quietDays === undefined ? [...weekdays] : quietDays.split(",").map(dayOf) };
}

function dayOf(given: string): QuietHours["days"][number] {
  const day = weekdays.find((each) => each === given.trim().toLowerCase());
  if (!day) throw new UsageError(`--quiet-days takes ${weekdays.join(", ")}`);
  return day;
}
