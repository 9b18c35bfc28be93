/** What a runner says of the networks that its jobs may reach. */
import { z } from "zod";

export const EgressReport = z.object({
  /** `unfiltered`: the runner was to filter and cannot; `open`: its operator wants no filter. */
  state: z.enum(["filtered", "unfiltered", "open"]),
  /** Why there is no filter, in a sentence; null where there is one, or none was wanted. */
  reason: z.string().max(1_000).nullable(),
  /** Networks beside the Internet that the operator opened. */
  allow: z.array(z.string().max(100)).max(1_000),
});
export type EgressReport = z.infer<typeof EgressReport>;
