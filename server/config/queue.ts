/** Settings of the configuration about the queue of jobs. */
import { z } from "zod";
import { highestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";

export const queueSettings = {
  FORGELINE_MAX_PRIORITY: z.coerce
    .number()
    .int()
    .min(0)
    .max(highestPriority)
    .default(highestPriority)
    .describe(
      "The highest `priority` that a job can have; one that asks for more gets this. 0: jobs can only be less important than others.",
    ),
};

export function toQueue(env: z.infer<z.ZodObject<typeof queueSettings>>) {
  return { maxPriority: env.FORGELINE_MAX_PRIORITY };
}
