/** A time as the clocks of a time zone show it. */

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
    <time dateTime={at} title={at}>
      {formatOf(zone).format(new Date(at))}
    </time>
  );
}
