/** Merging by itself as soon as nothing stands in the way (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { MergeStrategy } from "../core/merge-strategies.ts";
import { timestamp } from "../core/time.ts";
import { Person } from "../users/person.ts";

/** Why it does not wait any more, although it was not merged; the timeline, events and metrics name them. */
export const autoMergeEnds = [
  "cancelled",
  "closed",
  "target_changed",
  "head_moved",
  "foreign_push",
  "conflict",
  "access",
  "scope",
  "account",
  "archived",
] as const;
export type AutoMergeEnd = (typeof autoMergeEnds)[number];

export const AutoMerge = z
  .object({
    strategy: MergeStrategy,
    enabled_by: Person.nullable().describe(
      "For whom it is merged, with their rights; null: the account was deleted.",
    ),
    enabled_at: timestamp,
    delete_source_branch: z.boolean(),
    sha: objectId.nullable().describe("The only head that is meant; null: whatever is pushed."),
    problem: z
      .string()
      .nullable()
      .describe("Why the last try did not merge it, where neither `mergeable` nor `blocked_by` says so."),
  })
  .meta({ id: "AutoMerge" });
export type AutoMerge = z.infer<typeof AutoMerge>;
