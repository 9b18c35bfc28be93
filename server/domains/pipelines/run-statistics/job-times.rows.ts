/** Made by `node scripts/generate-rows.ts` from the statements of job-times.store.ts; do not edit. */

export interface JobTimesRows {
  sample: {
    pipeline_id: string;
  };
  jobTimes: {
    file: string;
    job: string;
    count: number;
    failed: number;
    duration_ms: number[] | null;
    queue_ms: number[] | null;
    runner_ms: number;
  };
  stepTimes: {
    file: string;
    job: string;
    step: string;
    count: number;
    failed: number;
    duration_ms: number[] | null;
  };
}
