/** Settings of the configuration about repositories: how large, and how often they are looked after. */
import { z } from "zod";

export const gitSettings = {
  FORGELINE_MAX_PUSH_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(2_147_483_648)
    .describe("Most bytes of one push."),
  FORGELINE_MAX_FILE_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(104_857_600)
    .describe("Most bytes of one file in a push; larger ones belong into Git LFS."),
  FORGELINE_MAX_REPOSITORY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(10_737_418_240)
    .describe("Most bytes of a repository's Git objects; a larger one takes no new content."),
  FORGELINE_MAINTENANCE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_080)
    .default(15)
    .describe(
      "How often the worker looks for repositories to repack and check; 0: never, not even when asked.",
    ),
};

type GitEnvironment = z.infer<z.ZodObject<typeof gitSettings>>;

export function toGitLimits(env: GitEnvironment) {
  return {
    maxPushBytes: env.FORGELINE_MAX_PUSH_BYTES,
    maxFileBytes: env.FORGELINE_MAX_FILE_BYTES,
    maxRepositoryBytes: env.FORGELINE_MAX_REPOSITORY_BYTES,
    maintenanceMinutes: env.FORGELINE_MAINTENANCE_MINUTES,
  };
}
