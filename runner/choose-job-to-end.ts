/** Chooses the job to end when the disk runs low. Pure. */

export interface Taken<Job> {
  job: Job;
  /** Of all disks; Infinity where it is unknown. */
  allBytes: number;
  /** Of the disk that runs low. */
  bytes: number;
}

export interface DiskLoss {
  /** What that disk lost since the oldest of the jobs began; Infinity where that is not known. */
  lostBytes: number;
  /** What one job may take, of all disks together. */
  partBytes: number;
}

/** Whoever takes less is not the cause. */
const minBlamedBytes = 16 * 1024 * 1024;
/** From this share of what the disk lost, what is counted explains the loss. */
const minExplainedShare = 3 / 4;

/**
 * The job that takes most, if it takes more than its part, or if what is counted of all jobs explains what the disk lost: else
 * somebody hides what he takes, and the largest of those who do not would be ended in his place. Of several whose
 * size cannot be told it could be each.
 */
export function chooseJobToEnd<Job>(
  all: readonly Taken<Job>[],
  { lostBytes, partBytes }: DiskLoss,
): Taken<Job> | null {
  const [largest, second] = all.toSorted((a, b) => (a.bytes === b.bytes ? 0 : b.bytes - a.bytes));
  if (!largest || largest.bytes < minBlamedBytes) return null;
  if (largest.bytes === Infinity) return second?.bytes === Infinity ? null : largest;
  if (largest.allBytes > partBytes) return largest;
  const counted = all.reduce((sum, { bytes }) => sum + bytes, 0);
  return counted >= lostBytes * minExplainedShare ? largest : null;
}
