/** `when` of stage, job and step, and `on` of the file: which events make a run, and what of it runs. */
import { z } from "zod";
import { mergeRequestTypes, pipelineEventNames } from "./event.ts";
import { FileInputs } from "./file-input.ts";
import { FileMatrixFilter } from "./file-matrix.ts";
import { FileStrings, FileText } from "./file-values.ts";

export const FileClause = z
  .strictObject({
    event: FileStrings.optional().describe(
      "push, merge_request, tag, manual, api, schedule, mirror_sync, fork_sync, pipeline; !x excludes.",
    ),
    branch: FileStrings.optional().describe("Globs for the branch, for example main or release/*."),
    target: FileStrings.optional().describe("Globs for a merge request's target branch."),
    label: FileStrings.optional().describe("Globs for labels of a merge request, of which one must match."),
    tag: FileStrings.optional().describe("Globs for the tag, for example v*."),
    paths: FileStrings.optional().describe("Runs if a changed file matches."),
    paths_ignore: FileStrings.optional().describe("Does not run if all changed files match."),
    actor: FileStrings.optional().describe("Globs for the user name of whoever started the run."),
    matrix: FileMatrixFilter.optional().describe("In a job with a matrix: combinations with these values."),
    status: z
      .enum(["success", "failure", "always"])
      .optional()
      .describe("success (default): nothing before failed; failure: something did; always: in any case."),
    if: z.string().min(1).optional().describe("An expression, for example branch == repo.default_branch."),
  })
  .refine((clause) => Object.keys(clause).length > 0, {
    error: "a clause with at least one key",
    // A clause that has keys, and none that we know, is told about these.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: "clause", minProperties: 1, description: "All keys of a clause must match." });

export const FileWhen = z
  .union([z.string().min(1, "an expression"), FileClause, z.array(FileClause).min(1).max(20)])
  .meta({
    id: "when",
    description: "An expression, a clause, or a list of clauses of which any must match.",
  });

/** A schedule needs its times, so its name alone is not enough. */
const EventName = z.enum(pipelineEventNames).exclude(["schedule"]);
const empty = z.null();

export const FileSchedule = z
  .strictObject({
    name: FileText.optional().describe("Unique in the file. Default: the cron line."),
    cron: z
      .string("a cron line such as 0 3 * * *")
      .max(200, "a cron line such as 0 3 * * *")
      .describe("Five fields: minute, hour, day of the month, month, day of the week."),
    timezone: z
      .string()
      .max(100)
      .optional()
      .describe("IANA time zone, for example Europe/Berlin. Default UTC."),
    branch: z
      .string()
      .min(1, "the name of a branch")
      .max(200)
      .optional()
      .describe("Default: the default branch."),
    if_missed: z
      .enum(["skip", "run_once"])
      .optional()
      .describe("What becomes of times that pass while Forgeline is down. Default skip."),
  })
  .meta({ id: "schedule", description: "A time at which the pipeline runs by itself." });
export type FileSchedule = z.infer<typeof FileSchedule>;

/** At most so many in one file. */
export const maxFileSchedules = 20;

/** Branches that a sync has moved; tags only where patterns ask for them. */
const FileSync = z.union([
  empty,
  z.strictObject({
    branches: FileStrings.optional().describe("Only branches that match these globs."),
    branches_ignore: FileStrings.optional().describe("Not branches that match these globs."),
    paths: FileStrings.optional().describe("Only if a changed file matches."),
    paths_ignore: FileStrings.optional().describe("Not if all changed files match."),
    tags: FileStrings.optional().describe("Also tags that match these globs. Default: none."),
  }),
]);

export const FileOn = z
  .union([
    EventName,
    z.array(EventName),
    z.strictObject({
      push: z
        .union([
          empty,
          z.strictObject({
            branches: FileStrings.optional().describe("Only branches that match these globs."),
            branches_ignore: FileStrings.optional().describe("Not branches that match these globs."),
            paths: FileStrings.optional().describe("Only if a changed file matches."),
            paths_ignore: FileStrings.optional().describe("Not if all changed files match."),
          }),
        ])
        .optional()
        .describe("A push to a branch."),
      merge_request: z
        .union([
          empty,
          z.strictObject({
            targets: FileStrings.optional().describe("Only into branches that match these globs."),
            types: z
              .array(z.enum(mergeRequestTypes))
              .min(1, "at least one of what can happen")
              .optional()
              .describe("Only if one of these happens. Default: opened, updated, reopened."),
            paths: FileStrings.optional().describe("Only if a file that it changes matches."),
            paths_ignore: FileStrings.optional().describe("Not if all files that it changes match."),
          }),
        ])
        .optional()
        .describe("A merge request is opened or reopened, gets new commits, or another target branch."),
      tag: z
        .union([
          empty,
          z.strictObject({ tags: FileStrings.optional().describe("Only tags that match these globs.") }),
        ])
        .optional()
        .describe("A new or moved tag."),
      manual: z
        .union([
          empty,
          z.strictObject({
            inputs: FileInputs.optional().describe(
              "What a run can be started with, also by api, schedule and pipeline.",
            ),
          }),
        ])
        .optional()
        .describe("The button on the web page."),
      api: z
        .union([empty, z.strictObject({})])
        .optional()
        .describe("REST and command line."),
      schedule: z
        .array(FileSchedule)
        .min(1)
        .max(maxFileSchedules)
        .optional()
        .describe("At these times. Read from the default branch."),
      pipeline: z
        .union([empty, z.strictObject({})])
        .optional()
        .describe("Another pipeline, with a job that has trigger."),
      mirror_sync: FileSync.optional().describe(
        "A sync of a mirror moved a branch, where the repository's settings allow it.",
      ),
      fork_sync: FileSync.optional().describe(
        "A sync of a fork moved a branch, where the repository's settings allow it.",
      ),
    }),
  ])
  .meta({
    id: "on",
    description: "Events that make a run. Omitted: push, merge_request, tag, manual, api and pipeline.",
  });
