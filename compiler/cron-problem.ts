/** Says in words what is wrong with a cron line: which field, and what is allowed there. */
import { readCron } from "./cron.ts";

interface Field {
  name: string;
  min: number;
  max: number;
  /** Of the values from `min` on. */
  words: readonly string[];
}

const months = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const days = "SUN MON TUE WED THU FRI SAT".split(" ");
const fields: readonly Field[] = [
  { name: "minute", min: 0, max: 59, words: [] },
  { name: "hour", min: 0, max: 23, words: [] },
  { name: "day of month", min: 1, max: 31, words: [] },
  { name: "month", min: 1, max: 12, words: months },
  { name: "day of week", min: 0, max: 7, words: days },
];
const form = `A cron line has five fields: ${fields.map(({ name }) => name).join(", ")}`;

/** What other programs know. */
const nicknames: Readonly<Record<string, string | undefined>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** A sentence; of what `readCron` refuses, which decides alone. */
export function cronProblem(text: string): string {
  const parts = text.trim().split(/\s+/).filter(Boolean);
  const [first = ""] = parts;
  if (first.startsWith("@")) {
    const line = nicknames[first.toLowerCase()];
    return line === undefined
      ? `${first} is not supported. ${form}.`
      : `${first} is not supported: write ${line}.`;
  }
  if (parts.length !== fields.length) return `${form}; this one has ${parts.length || "none"}.`;
  for (const [at, field] of fields.entries()) {
    // Each is tried alone, so that it is blamed for nothing but itself.
    const isWrong = (value: string) =>
      readCron(fields.map((_, i) => (i === at ? value : "*")).join(" ")) === undefined;
    const wrong = parts[at]?.split(",").find(isWrong);
    if (wrong !== undefined) return problemOf(field, wrong);
  }
  return "This never comes: there is no such day.";
}

/** Of one value, range or step. */
function problemOf(field: Field, text: string): string {
  const { name, max } = field;
  if (text === "") return `The ${name} has a comma with nothing before or after it.`;
  const [range = "", step] = text.split("/");
  const ends = range === "*" ? [] : range.split("-");
  const unknown = ends.find((end) => valueOf(field, end) === undefined);
  if (unknown !== undefined) return `The ${name} must be ${allowedIn(field)}, not ${unknown || text}.`;
  const [from = 0, to = from] = ends.map((end) => valueOf(field, end) ?? 0);
  if (to < from) return `The ${name} must not go backwards: ${text}.`;
  if (step === undefined || !isWithin(step, 1, max))
    return `The ${name} is not understood: ${text}. A range is 1-5, a step */2 or 1-5/2.`;
  return `The ${name} has a step without a range: ${text}. Write ${range}-${max}/${step} or */${step}.`;
}

function allowedIn({ min, max, words }: Field): string {
  const numbers = `${min} to ${max}`;
  return words.length === 0 ? numbers : `${numbers} or ${words[0]} to ${words.at(-1)}`;
}

function valueOf({ min, max, words }: Field, text: string): number | undefined {
  const word = words.indexOf(text.toUpperCase());
  if (word !== -1) return min + word;
  return isWithin(text, min, max) ? Number(text) : undefined;
}

function isWithin(text: string, min: number, max: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}
