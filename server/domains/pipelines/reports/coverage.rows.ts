/** Made by `node scripts/generate-rows.ts` from the statements of coverage.store.ts; do not edit. */

export interface CoverageRows {
  addFiles: never;
  listFiles: {
    path: string;
    lines_covered: number;
    lines_total: number;
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
  };
  countFiles: {
    total: number;
  };
  listRuns: {
    id: string;
    number: number;
    sha: string;
    ref: string;
    at: Date;
    lines_covered: number;
    lines_total: number;
  };
  countRuns: {
    total: number;
  };
}
