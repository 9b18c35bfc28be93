/** `trigger` of a job: another pipeline that it starts, instead of steps. */
import { z } from "zod";
import { FileInputName, maxInputs } from "./file-input.ts";
import { FileScalar } from "./file-values.ts";

/** Outputs of the other pipeline that one job may take over. */
export const maxTriggerOutputs = 50;

const OutputName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,99}$/, "the name of an output");

export const FileTrigger = z
  .strictObject({
    pipeline: z
      .string()
      .min(1, "the name of a pipeline file")
      .max(500, "at most 500 characters long")
      .optional()
      .describe(
        "A file, or its name without .yml. Default: here this very file, elsewhere the only one that there is.",
      ),
    repository: z
      .string()
      .min(1, "a repository as owner/name")
      .max(500, "at most 500 characters long")
      .optional()
      .describe("As owner/name; whoever started this run must have Write there. Default: this repository."),
    ref: z
      .string()
      .min(1, "a branch, tag or commit")
      .max(1000, "at most 1000 characters long")
      .optional()
      .describe("Branch, tag or commit. Default: here the commit of this run, elsewhere the default branch."),
    inputs: z
      .record(FileInputName, FileScalar)
      .meta({ maxProperties: maxInputs })
      .optional()
      .describe("Inputs of the other pipeline, by name. Values may hold ${{ }}."),
    wait: z
      .boolean()
      .optional()
      .describe("Wait for its end, and fail if it fails. Default true; false: done once it is started."),
    outputs: z
      .array(OutputName)
      .min(1)
      .max(maxTriggerOutputs)
      .optional()
      .describe("Outputs of its jobs that jobs that need this one may read."),
  })
  .meta({
    id: "trigger",
    description: "Another pipeline that the job starts, here or in another repository.",
  });
export type FileTrigger = z.infer<typeof FileTrigger>;

/** Keys that a job with `trigger` may have: no runner executes it, so the rest would mean nothing. */
export const keysBesideTrigger: readonly string[] = [
  "trigger",
  "stage",
  "name",
  "needs",
  "when",
  "approval",
  "matrix",
  "max_parallel",
  "fail_fast",
  "retry",
  "timeout",
  "concurrency",
  "allow_failure",
];
