/** What waits for runners, by the labels that it asks for: what a program needs to know that starts and ends machines. */
import { z } from "zod";

/** Those whose oldest job waits longest come first. */
export const maxLabelSets = 100;

export const RunnerDemand = z
  .object({
    label_sets: z
      .array(
        z.object({
          labels: z
            .array(z.string())
            .describe("What the jobs ask for; with `!` before it what they rule out. Empty: nothing."),
          queued: z.number().int().describe("Jobs that wait for a runner."),
          oldest_wait_seconds: z.number().nullable().describe("Null where none waits."),
          running: z.number().int().describe("Jobs that a runner has, or is being offered."),
          idle: z
            .number()
            .int()
            .describe(
              "Free slots of connected runners that could take such jobs. A slot may fit several sets, and counts in each.",
            ),
        }),
      )
      .max(maxLabelSets),
    more: z.number().int().describe(`Label sets that are left out, past the first ${maxLabelSets}.`),
  })
  .meta({
    id: "RunnerDemand",
    examples: [
      {
        label_sets: [
          { labels: ["gpu=*", "os=linux"], queued: 3, oldest_wait_seconds: 41.5, running: 1, idle: 0 },
        ],
        more: 0,
      },
    ],
  });
export type RunnerDemand = z.infer<typeof RunnerDemand>;
