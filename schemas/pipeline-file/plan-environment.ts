/** `environment` of a job in the plan. */
import { z } from "zod";

export const PlanEnvironment = z.object({
  /** A template until the job starts. */
  name: z.string(),
  /** The same. */
  url: z.string().nullable(),
});
export type PlanEnvironment = z.infer<typeof PlanEnvironment>;
