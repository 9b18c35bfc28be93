/** The pipeline that a job starts, as the plan keeps it. */
import { z } from "zod";

export const PlanTrigger = z.object({
  /** null: here the file of the plan itself, elsewhere the only file. May hold `${{ }}`, as the next three. */
  pipeline: z.string().nullable(),
  /** `owner/name`; null: the repository of the run. */
  repository: z.string().nullable(),
  /** null: here the commit of the run, elsewhere the default branch. */
  ref: z.string().nullable(),
  inputs: z.record(z.string(), z.string()),
  wait: z.boolean(),
  /** Names of outputs of its jobs that become outputs of this one. */
  outputs: z.array(z.string()),
});
export type PlanTrigger = z.infer<typeof PlanTrigger>;
