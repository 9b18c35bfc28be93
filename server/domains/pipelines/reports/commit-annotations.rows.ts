/** Made by `node scripts/generate-rows.ts` from the statements of commit-annotations.store.ts; do not edit. */

export interface CommitAnnotationsRows {
  list: {
    pipeline_id: string;
    pipeline_number: number;
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
    step_name: string | null;
    level: "error" | "notice" | "warning";
    path: string | null;
    line: number | null;
    end_line: number | null;
    title: string | null;
    message: string;
    source: string | null;
  };
  count: {
    total: number;
  };
}
