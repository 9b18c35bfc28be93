/** Made by `node scripts/generate-rows.ts` from the statements of run-figures.store.ts; do not edit. */

export interface RunFiguresRows {
  record: never;
  totalOfRepository: {
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
    queue_ms: number[] | null;
  };
  daysOfRepository: {
    day: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
  };
  filesOfRepository: {
    file: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
  };
  totalOfOrganization: {
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
    queue_ms: number[] | null;
  };
  daysOfOrganization: {
    day: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
  };
  totalOfInstance: {
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
    queue_ms: number[] | null;
  };
  daysOfInstance: {
    day: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    duration_ms: number[] | null;
  };
  listOfOrganization: {
    repository_id: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    full_name: string;
  };
  countOfOrganization: {
    total: number;
  };
  listOfInstance: {
    repository_id: string;
    runs: number;
    succeeded: number;
    failed: number;
    errors: number;
    cancelled: number;
    skipped: number;
    runner_ms: number;
    attempts: number;
    full_name: string;
  };
  countOfInstance: {
    total: number;
  };
}
