/** Combinations of a matrix as one: what they have in common, how they stand together, and what tells them apart. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { isOver, isUnsuccessful } from "../../ui/statuses.ts";
import type { Job } from "./run-status.ts";

type Status = Schemas["Status"];

export interface JobGroup {
  key: string;
  needs: readonly string[];
  /** What the names of all have in common, else the key. */
  name: string;
  /** Of a matrix in the order of its combinations; one otherwise, and where a matrix has only one. */
  jobs: readonly [Job, ...Job[]];
}

/** Jobs with the same key are together where the first of them stands. */
export function groupsOf(jobs: readonly Job[]): JobGroup[] {
  const groups = new Map<string, [Job, ...Job[]]>();
  for (const job of jobs) {
    const group = groups.get(job.key);
    if (group) group.push(job);
    else groups.set(job.key, [job]);
  }
  return [...groups.values()].map((group) => {
    const [{ key, needs }] = group;
    return { key, needs, name: nameOf(group), jobs: group };
  });
}

function nameOf(group: readonly [Job, ...Job[]]): string {
  const [first, ...others] = group;
  if (others.length === 0) return first.name;
  const name = nameWithoutValues(first);
  return name !== null && others.every((job) => nameWithoutValues(job) === name) ? name : first.key;
}

/** Null where the values are not at the end of the name, because the file gives a name of its own to each combination. */
function nameWithoutValues({ name, matrix }: Job): string | null {
  const end = ` (${Object.values(matrix ?? {}).join(", ")})`;
  return name.endsWith(end) ? name.slice(0, -end.length) : null;
}

/** What is said of a combination below the name of its group. */
export function combinationLabel(job: Job, group: JobGroup): string {
  return nameWithoutValues(job) === group.name ? Object.values(job.matrix ?? {}).join(", ") : job.name;
}

const order: readonly Status[] = [
  "error",
  "failed",
  "cancelling",
  "running",
  "awaiting_approval",
  "queued",
  "waiting",
  "created",
  "cancelled",
  "success",
  "skipped",
];

export interface Standing {
  /** A failure where there is one, else what is still to end, else the worst end. */
  status: Status;
  done: number;
  failed: number;
}

export function standingOf(jobs: readonly Job[]): Standing {
  return {
    status: order.find((status) => jobs.some((job) => job.status === status)) ?? "waiting",
    done: jobs.filter(({ status }) => isOver(status)).length,
    failed: jobs.filter(({ status }) => isUnsuccessful(status)).length,
  };
}
