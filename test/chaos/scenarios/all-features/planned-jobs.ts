/** What each job of the pipeline is expected to do when nothing fails, and what a fault may change of that. */
import { numberedLinesScript } from "../../../support/numbered-lines.ts";

export interface PlannedJob {
  key: string;
  /** Values of `n`; a job without a matrix has none. */
  values?: readonly string[];
  /** Status, with the beginning of its reason where it has one: `success`, `failed exit:4`. Several where timing decides. */
  ends: readonly string[];
  /** Lines of its first step; 0 for a job that starts another run. */
  lines: number;
  /** Group whose slot it holds. */
  group?: { name: string; limit: number };
  /** Works in the workspace of its stage, which is lost with the runner. */
  isShared?: boolean;
  /** Its first attempt fails by itself, with this exit code. */
  failsFirst?: number;
  /** Further steps that print as many lines, by position, with what is added to the number of its lines. */
  more?: Readonly<Record<number, number>>;
}

export const lineCount = 300;
const ok = ["success"];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const superseded = ["success", "cancelled superseded:#"];

const job = (key: string, more: Partial<PlannedJob> = {}): PlannedJob => ({
  key,
  ends: ok,
  lines: lineCount,
  ...more,
});

/** In the order of the file. The place in the list is part of the number of each job's lines. */
export const plannedJobs: readonly PlannedJob[] = [
  job("lay", { isShared: true }),
  job("add", { isShared: true, failsFirst: 3 }),
  job("pair", { isShared: true, values: numbers(2) }),
  job("apart"),
  job("list"),
  job("unit", { values: numbers(8) }),
  job("big"),
  job("collect"),
  job("wide", { values: numbers(5) }),
  job("quick", { values: numbers(4), ends: ["success", "failed exit:4", "cancelled fail_fast"] }),
  job("side", { more: { 1: 1000, 2: 2000 } }),
  job("again", { values: numbers(3), failsFirst: 5 }),
  job("once", { values: numbers(2), lines: 900 }),
  job("serve"),
  job("save"),
  job("load"),
  job("keep"),
  job("secret-env"),
  job("secret-file"),
  job("make"),
  job("use"),
  job("tpl"),
  job("tjob"),
  job("report"),
  job("bear", { ends: ["failed exit:3"] }),
  job("gated"),
  job("asked", { ends: ["success", "failed approval_rejected"] }),
  job("after-asked", { ends: ["success", "skipped need_failed"] }),
  job("ship", { values: numbers(2), group: { name: "ship", limit: 1 } }),
  job("turn", { values: numbers(3), group: { name: "turn", limit: 1 } }),
  job("room", { values: numbers(2), group: { name: "room", limit: 2 } }),
  job("fresh", { group: { name: "fresh", limit: 1 }, ends: superseded }),
  job("latest", { group: { name: "latest", limit: 1 }, ends: superseded, lines: 900 }),
  job("shared", { group: { name: "shared", limit: 1 } }),
  job("child", { lines: 0 }),
  job("use-child"),
  job("away", { lines: 0 }),
  job("below", { lines: 0 }),
];

/** Jobs of the second run, which wants the same groups. It is the newer one, so nothing supersedes it. */
export const rivalJobs: readonly PlannedJob[] = ["turn", "room", "fresh", "latest", "shared"].map((key) => {
  const planned = plannedJobs.find((one) => one.key === key);
  if (!planned) throw new Error(`no job ${key}`);
  const { values: _, ...rest } = planned;
  return { ...rest, ends: ok, lines: lineCount };
});

/** The number that the lines of a job carry; `value` of its matrix. */
export function linesId(key: string, value?: string): number {
  const place = plannedJobs.findIndex((one) => one.key === key);
  return 100 + place * 10 + Number(value ?? 0);
}

/** What the judge expects of one job of the run. */
export function plannedFor(jobs: readonly PlannedJob[], key: string): PlannedJob {
  const found = jobs.find((one) => one.key === key);
  if (!found) throw new Error(`nobody planned a job ${key}`);
  return found;
}

const tell = (kind: string) =>
  `wget -q -O /dev/null "$EFFECTS/${kind}/$CI_PIPELINE_ID/$CI_JOB_ID/$CI_ATTEMPT"`;

/** Only the lines. */
export const linesText = numberedLinesScript('"$LINE_ID"', '"$COUNT"', 20);
/** The world outside hears of the beginning, then the lines are printed. */
export const printText = `${tell("begin")}; ${linesText}`;
/** For who holds a slot: the world outside hears all the time that it is at work. */
export const holdText = `${printText}; for i in 1 2 3 4 5 6; do ${tell("beat")}; sleep 0.1; done`;
