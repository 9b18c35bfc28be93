/** Made by `node scripts/generate-rows.ts` from the statements of tests.store.ts; do not edit. */

export interface TestsRows {
  count: {
    total: number;
  };
  addTests: never;
  addResults: never;
  markFlaky: never;
  listOfRun: {
    test_id: string;
    suite: string;
    test_name: string;
    status: "failed" | "passed" | "skipped";
    duration_ms: number | null;
    message: string | null;
    details: string | null;
    flaky: boolean;
    quarantined: boolean;
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
  };
  countOfRun: {
    total: number;
  };
  countAllOfRun: {
    total: number;
  };
  list: {
    id: string;
    suite: string;
    name: string;
    results: number;
    failures: number;
    typical_ms: number | null;
    seen_at: Date;
    flaky_sha: string | null;
    flaky_at: Date | null;
    quarantined_at: Date | null;
    quarantine_reason: string | null;
    quarantined_by: string | null;
  };
  countChosen: {
    total: number;
  };
  find: {
    id: string;
    suite: string;
    name: string;
    results: number;
    failures: number;
    typical_ms: number | null;
    seen_at: Date;
    flaky_sha: string | null;
    flaky_at: Date | null;
    quarantined_at: Date | null;
    quarantine_reason: string | null;
    quarantined_by: string | null;
  };
  listResults: {
    status: "failed" | "passed" | "skipped";
    duration_ms: number | null;
    message: string | null;
    details: string | null;
    created_at: Date;
    sha: string;
    pipeline_id: string;
    number: number;
    ref: string;
    attempt: number;
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
  };
  countResults: {
    total: number;
  };
  quarantine: {
    suite: string;
    name: string;
  };
  release: {
    suite: string;
    name: string;
  };
  removeUnseen: {
    id: string;
  };
}
