/** `concurrency` of the file, of a stage and of a job, as an author writes it. */
import { z } from "zod";

const group = z
  .string()
  .min(1)
  .describe("Name of the group. ${{ }} may use what is known when the run is created.");

export const FileConcurrency = z
  .union([
    group,
    z.strictObject({
      group,
      limit: z.int().min(1).max(100).optional().describe("How many may hold a slot at once. Default 1."),
      order: z
        .enum(["created", "ready"])
        .optional()
        .describe(
          "created (default): a later run never overtakes an earlier one that may still ask, unless that waits for an approval first; ready: first come, first served.",
        ),
      waiting: z
        .enum(["all", "newest"])
        .optional()
        .describe("all (default): everyone waits their turn; newest: cancel older ones that wait."),
      cancel_running: z
        .boolean()
        .optional()
        .describe("Also cancel who holds the slot, and all that wait. Default false."),
      scope: z
        .enum(["repo", "org"])
        .optional()
        .describe("repo (default); org: shared by the repositories of an organization that allows it."),
    }),
  ])
  .meta({ id: "concurrency", description: "A group of which only a limited number run at the same time." });
export type FileConcurrency = z.infer<typeof FileConcurrency>;
