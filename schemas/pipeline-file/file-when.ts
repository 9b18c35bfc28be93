/** `when` of stage, job and step, and `on` of the file: which events make a run, and what of it runs. */
import { z } from "zod";
import { pipelineEventNames } from "./event.ts";
import { FileStrings } from "./file-values.ts";

export const FileClause = z
  .strictObject({
    event: FileStrings.optional().describe("push, tag, manual, api; !x excludes."),
    branch: FileStrings.optional().describe("Globs for the branch, for example main or release/*."),
    target: FileStrings.optional().describe("Globs for a merge request's target branch."),
    tag: FileStrings.optional().describe("Globs for the tag, for example v*."),
    paths: FileStrings.optional().describe("Runs if a changed file matches."),
    paths_ignore: FileStrings.optional().describe("Does not run if all changed files match."),
    status: z
      .enum(["success", "failure", "always"])
      .optional()
      .describe("success (default): nothing before failed; failure: something did; always: in any case."),
    if: z.string().min(1).optional().describe("An expression, for example branch == repo.default_branch."),
  })
  .refine((clause) => Object.keys(clause).length > 0, "a clause with at least one key")
  .meta({ id: "clause", minProperties: 1, description: "All keys of a clause must match." });

export const FileWhen = z
  .union([z.string().min(1, "an expression"), FileClause, z.array(FileClause).min(1).max(20)])
  .meta({
    id: "when",
    description: "An expression, a clause, or a list of clauses of which any must match.",
  });

const EventName = z.enum(pipelineEventNames);
const empty = z.null();

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
      tag: z
        .union([
          empty,
          z.strictObject({ tags: FileStrings.optional().describe("Only tags that match these globs.") }),
        ])
        .optional()
        .describe("A new or moved tag."),
      manual: z
        .union([empty, z.strictObject({})])
        .optional()
        .describe("The button on the web page."),
      api: z
        .union([empty, z.strictObject({})])
        .optional()
        .describe("REST and command line."),
    }),
  ])
  .meta({ id: "on", description: "Events that make a run. Omitted: push, tag, manual and api." });
