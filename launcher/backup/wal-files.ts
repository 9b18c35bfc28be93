/** Names of PostgreSQL's log files: timeline, then the number of the file in two parts, each eight hexadecimal digits. */

/** All from `first` to `last`, both included. Throws when they are of different timelines, or in the wrong order. */
export function walFilesBetween(first: string, last: string, segmentBytes: number): string[] {
  const perPart = 0x1_0000_0000 / segmentBytes;
  const from = parse(first, perPart);
  const to = parse(last, perPart);
  if (from.timeline !== to.timeline || to.number < from.number)
    throw new Error(`PostgreSQL's log cannot lead from ${first} to ${last}`);
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");
  return Array.from({ length: to.number - from.number + 1 }, (_, i) => {
    const number = from.number + i;
    return `${from.timeline}${hex(Math.floor(number / perPart))}${hex(number % perPart)}`;
  });
}

function parse(name: string, perPart: number): { timeline: string; number: number } {
  const [, timeline, high, low] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? [];
  if (!timeline || !high || !low) throw new Error(`${name} is not the name of a log file of PostgreSQL`);
  return { timeline, number: Number.parseInt(high, 16) * perPart + Number.parseInt(low, 16) };
}
