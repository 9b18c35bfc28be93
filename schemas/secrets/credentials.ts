/** What a job was given beside its variables: secrets, and identity tokens. Never the values. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const JobCredentials = z
  .object({
    job_id: idOf("job"),
    job: z.string().describe("Display name of the job."),
    attempt: z.number().int(),
    secrets: z.array(
      z.object({
        name: z.string(),
        level: z
          .enum(["environment", "repository", "organization", "instance"])
          .nullable()
          .describe(
            "Whose secret it was; null for one that is gone and was given before the level was recorded.",
          ),
        given_at: timestamp,
      }),
    ),
    id_tokens: z.array(
      z.object({
        name: z.string().describe("The variable."),
        audience: z.string(),
        issued_at: timestamp,
        expires_at: timestamp,
      }),
    ),
  })
  .meta({ id: "JobCredentials" });
export type JobCredentials = z.infer<typeof JobCredentials>;
