/** Made by `node scripts/generate-rows.ts` from the statements of marks.store.ts; do not edit. */

export interface MarksRows {
  markTouched: never;
  claimMarks: {
    repository_id: string;
    user_id: string | null;
    origin: "fork" | "mirror" | "push";
    reach: "here" | "reads" | "starts";
    wanted: number;
  };
  removeMark: never;
}
