const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** `2027-03-31` → `Mar 31, 2027`, the same day everywhere. */
export function formatDay(day: string): string {
  return format.format(new Date(day));
}
