/** Secrets that come with a lease. They stay in the runner's memory, and for steps in a file system of memory. */
import { z } from "zod";

export const leaseSecretFields = {
  /** Values by name. Absent: none. */
  secrets: z.record(z.string(), z.string()).optional(),
  /** Identity tokens, by the variables of steps that hold them. Absent: none. */
  idTokens: z.record(z.string(), z.string()).optional(),
  /** The job needs a secret that it may not have: it ends before anything is done. Absent: it has all. */
  refusal: z.object({ reason: z.string(), message: z.string() }).optional(),
};
export type LeaseSecrets = z.infer<z.ZodObject<typeof leaseSecretFields>>;
