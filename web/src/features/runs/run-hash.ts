/**
 * What the part of a run's address after `#` says: `JOB`, `JOB@ATTEMPT`, `JOB@ATTEMPT:STEP`, `JOB@ATTEMPT:STEP:LINE`. `JOB` is the key
 * of a job; of a combination of a matrix, whose key is that of the others too, it is the id.
 */

export interface RunHash {
  /** Key or id of the job. */
  job: string;
  attempt: number | null;
  /** `setup`, the position of a step, or `~` and the name of a service. */
  step: string | null;
  /** From 1. */
  line: number | null;
}

export function formatRunHash({ job, attempt, step, line }: RunHash): string {
  let hash = `#${encodeURIComponent(job)}`;
  if (attempt !== null) hash += `@${attempt}`;
  if (step !== null) hash += `:${encodeURIComponent(step)}`;
  if (step !== null && line !== null) hash += `:${line}`;
  return hash;
}

/** Null for what names no job. */
export function parseRunHash(hash: string): RunHash | null {
  const [place = "", step, line] = hash.replace(/^#/, "").split(":");
  const [job = "", attempt] = place.split("@");
  if (job === "") return null;
  try {
    return {
      job: decodeURIComponent(job),
      attempt: wholeNumber(attempt),
      step: step ? decodeURIComponent(step) : null,
      line: wholeNumber(line),
    };
  } catch {
    return null;
  }
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}
