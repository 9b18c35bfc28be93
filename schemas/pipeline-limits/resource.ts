/** Limits of pipelines as the REST interface shows and takes them. */
import { z } from "zod";
import { limitLevels, pipelineLimitNames, pipelineLimits, type PipelineLimitName } from "./limits.ts";

export const PipelineLimit = z
  .object({
    name: z.enum(pipelineLimitNames),
    value: z.number().int().describe("What holds."),
    set_by: z
      .enum(limitLevels)
      .describe(
        "`organization` and `instance`: administrators of the instance have set it for this organization, or for all.",
      ),
    default: z.number().int().describe("What holds where nobody has set it."),
    lowest: z.number().int().describe("What it can be set to at least."),
    highest: z.number().int().describe("What it can be set to at most."),
  })
  .meta({ id: "PipelineLimit" });
export type PipelineLimit = z.infer<typeof PipelineLimit>;

export const PipelineLimits = z.object({ limits: z.array(PipelineLimit) }).meta({ id: "PipelineLimits" });
export type PipelineLimits = z.infer<typeof PipelineLimits>;

const entries = pipelineLimitNames.map((name) => {
  const { lowest, highest, counts } = pipelineLimits[name];
  return [name, z.int().min(lowest).max(highest).optional().describe(counts)] as const;
});
type Choice = (typeof entries)[number][1];

export const PipelineLimitsSet = z
  .strictObject(Object.fromEntries(entries) as Record<PipelineLimitName, Choice>)
  .meta({ id: "PipelineLimitsSet", examples: [{ jobs: 200, job_minutes: 120 }] });
export type PipelineLimitsSet = z.infer<typeof PipelineLimitsSet>;
