/** `network` of a job in the plan. */
import { z } from "zod";

export const PlanNetwork = z.object({
  /** What the job may reach beside its own services, as `network-target.ts` reads it; empty: nothing. */
  allow: z.array(z.string()),
});
export type PlanNetwork = z.infer<typeof PlanNetwork>;
