/**
 * How much of each thing a runner may say. What real runners send stays far below; texts for people are cut rather than
 * refused, since a result that is refused for the length of a sentence would never end.
 */
import { z } from "zod";

/** Longest message of a runner, as it is sent: a `hello` with all its jobs, a `done` with all its outputs. A longer one ends its connection. */
export const runnerMessageBytes = 2 * 1024 * 1024;
/** Longest lease, as it is sent. `welcome` has one for each job that the runner holds. */
export const leaseBytes = 16 * 1024 * 1024;

/** Names that a machine gives: of itself, its system, an image. */
export const machineName = z.string().max(1_000);

/** Of a text for people. Half a character at the cut becomes one that can be stored. */
export function textUpTo(max: number) {
  return z
    .string()
    .overwrite((text) => (text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`));
}

/** A reason like `exit:1` or `when:<clause>`, the name of a step. */
export const shortText = textUpTo(1_000);
/** A sentence or two. */
export const longText = textUpTo(2_000);

/** Streams of a lease, outputs of a job: more than the pipeline file has room for. */
export const maxMembers = 10_000;

/** Counted before the members are looked at. */
export function recordOf<T extends z.ZodType>(value: T) {
  return z
    .custom<Record<string, unknown>>(isSmallRecord, "not an object, or one of too many members")
    .pipe(z.record(z.string().max(1_000), value));
}

function isSmallRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length <= maxMembers;
}

/** What PostgreSQL's `integer` holds. */
const maxInteger = 2 ** 31 - 1;
export const smallInteger = z.number().int().min(-maxInteger).max(maxInteger);

/** Steps of a job: the pipeline file has room for a tenth of them. */
export const maxSteps = 1_000;
export const stepPosition = z
  .number()
  .int()
  .min(0)
  .max(maxSteps - 1);

/** Up to the year 5138, so that the difference of two of them is still a time for PostgreSQL. */
export const clockMs = z.number().min(0).max(1e14);
