/** A time as the clocks of a time zone show it, which what is around names; that of the viewer on hover. */
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  });
  formats.set(zone, format);
  return format;
}

export function ZonedTime({ at, zone }: { at: string; zone: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {formatOf(zone).format(new Date(at))}
    </time>
  );
}
