/** The signed part of a lease, as it travels: exactly the text that was signed, and a signature by each key. */
import { z } from "zod";

export const SignedJob = z.object({
  payload: z.string(),
  signatures: z.array(z.object({ key: z.string().max(64), signature: z.string().max(200) })).max(16),
});
export type SignedJob = z.infer<typeof SignedJob>;

/** Precedes the payload in what is signed, so that no signature made for something else is one of a job. */
export const signedJobPrefix = "forgeline-signed-job-v1\n";
