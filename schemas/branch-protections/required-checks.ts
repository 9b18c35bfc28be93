/** Checks that rules for branches name. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";

export const maxRequiredChecks = 50;

export const RequiredCheck = z
  .strictObject({
    pipeline: displayText(255)
      .min(1)
      .describe("Path of the pipeline file, as runs show it.")
      .meta({ examples: [".forgeline.yml"] }),
    job: displayText(255).min(1).optional().describe("Key of a job of it; without one the whole run counts."),
  })
  .meta({ id: "RequiredCheck" });
export type RequiredCheck = z.infer<typeof RequiredCheck>;

export const RequiredChecks = z
  .array(RequiredCheck)
  .max(maxRequiredChecks)
  .describe(
    "Runs and jobs that have to succeed for the commit. One that was skipped counts as passed, one that never was does not.",
  );
