/** What is known of a run, before its jobs come to it. */
import { z } from "zod";

export const Foreseen = z
  .object({
    job: z.string().describe("The first job that it concerns."),
    more_jobs: z.number().int().describe("How many further jobs it concerns."),
    reason: z.string().describe("As the job will have it, for example `secret_missing:DEPLOY_KEY`."),
    message: z.string().describe("The reason as a sentence."),
  })
  .meta({ id: "Foreseen" });
export type Foreseen = z.infer<typeof Foreseen>;
