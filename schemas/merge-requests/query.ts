/** Which merge requests a list shows. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { searchText } from "../search/resource.ts";
import { MergeRequestState } from "./resource.ts";

export const MergeRequestQuery = z.strictObject({
  ...PageQuery.shape,
  state: z.enum([...MergeRequestState.options, "all"]).default("open"),
  author: z.string().max(201).optional().describe("User name."),
  assignee: z.string().max(201).optional().describe("User name; `none`: nobody is assigned."),
  source_branch: z.string().max(1000).optional(),
  target_branch: z.string().max(1000).optional(),
  labels: z
    .string()
    .max(2_000)
    .optional()
    .describe("Names of labels, separated by commas: merge requests that have all of them."),
  milestone: z.string().max(255).optional().describe("Title of a milestone; `none`: without one."),
  draft: z.enum(["true", "false"]).optional(),
  q: searchText
    .optional()
    .describe(
      'Words, "exact phrases" and qualifiers, as in `author:me label:"help wanted" -label:wontfix`. A state in it wins over `state`.',
    ),
  sort: z.enum(["created", "updated", "comments"]).default("created"),
  direction: z.enum(["asc", "desc"]).default("desc"),
});
export type MergeRequestQuery = z.output<typeof MergeRequestQuery>;
