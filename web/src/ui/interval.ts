/** How often something happens, for people. */
const intervalUnits = [
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** `30 s`, `15 min`, `6 h`: in the largest unit of which it is a whole number. */
export function formatInterval(seconds: number): string {
  const [unit, size] = intervalUnits.find((each) => seconds % each[1] === 0) ?? ["s", 1];
  return `${seconds / size} ${unit}`;
}
