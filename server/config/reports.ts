/** Settings of the configuration about what jobs report. */
import { z } from "zod";

export const reportSettings = {
  FORGELINE_REPORT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe("How many days summaries, annotations and reports of jobs are kept."),
};

export function toReportDays(env: z.infer<z.ZodObject<typeof reportSettings>>): number {
  return env.FORGELINE_REPORT_DAYS;
}
