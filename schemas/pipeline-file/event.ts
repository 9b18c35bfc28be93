/** The event that makes a run; expressions and `when` see it, and steps find it as `CI_*`. */
import { z } from "zod";
import { SetLevel } from "../variables/resource.ts";

export const pipelineEventNames = [
  "push",
  "merge_request",
  "tag",
  "manual",
  "api",
  "schedule",
  "mirror_sync",
  "fork_sync",
  "pipeline",
] as const;
export const PipelineEventName = z.enum(pipelineEventNames);
export type PipelineEventName = z.infer<typeof PipelineEventName>;

/** These bring commits of a branch, and so changed paths. */
export const eventsWithChanges: readonly PipelineEventName[] = [
  "push",
  "merge_request",
  "mirror_sync",
  "fork_sync",
];
/** With more, the changed paths count as unknown. */
export const maxChangedPaths = 3_000;

/** What happens to a merge request, as `on.merge_request.types` names it. */
export const mergeRequestTypes = [
  "opened",
  "updated",
  "reopened",
  "labeled",
  "ready",
  "closed",
  "merged",
] as const;
export const MergeRequestType = z.enum(mergeRequestTypes);
export type MergeRequestType = z.infer<typeof MergeRequestType>;

/** Those that make runs of files that name no `types`: what is to be merged is new, or was not tested for a while. */
export const usualMergeRequestTypes: readonly MergeRequestType[] = ["opened", "updated", "reopened"];

/** The merge request of an event, as it was when its run was made. */
export const EventMergeRequest = z.object({
  number: z.number().int(),
  title: z.string(),
  /** User name; `""` once the account is gone. */
  author: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  /** What both branches have in common. */
  base_sha: z.string(),
  draft: z.boolean(),
  labels: z.array(z.string()),
  /** Its commits come from another repository. */
  fork: z.boolean(),
  /** Its newest commit. Absent where that is what runs. */
  head_sha: z.string().optional(),
  /** Where the target branch was. Absent in runs of earlier releases. */
  target_sha: z.string().optional(),
  /** What merges the head into the target branch, in a run of that; empty where both conflict. Absent in a run of the head. */
  merge_sha: z.string().optional(),
  /** What happened since its runs were made last. Absent in a preview, and in runs of earlier releases: all of it may have. */
  types: z.array(MergeRequestType).optional(),
});
export type EventMergeRequest = z.infer<typeof EventMergeRequest>;

export const PipelineEvent = z.object({
  name: PipelineEventName,
  /** Full ref name, for example `refs/heads/main`. */
  ref: z.string(),
  branch: z.string().nullable(),
  tag: z.string().nullable(),
  sha: z.string(),
  beforeSha: z.string().nullable(),
  /** User name of the one who pushed or triggered; `schedule:NAME` or `mirror:sync` where no user did. */
  actor: z.string(),
  /** Which one came, of a `schedule`. Absent in a preview, and for other events. */
  schedule: z.object({ name: z.string() }).optional(),
  /** Of a `merge_request`. Absent in a preview, where it goes into the default branch; and for other events. */
  mergeRequest: EventMergeRequest.optional(),
  commitMessage: z.string(),
  commitAuthor: z.string(),
  /** When it was committed, as ISO 8601, where that can be true. Only while a run is made: its row keeps it, jobs do not get it. */
  committedAt: z.string().optional(),
  /** Paths changed by the event, for `paths` filters; null where they are unknown (then filters match). */
  changedPaths: z.array(z.string()).nullable(),
  repository: z.object({ owner: z.string(), name: z.string(), defaultBranch: z.string() }),
  /** Every input of the file; null for one that was not given and has no default. */
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  variables: z.record(z.string(), z.string()),
  /** Where those come from that the run was not given itself. Absent for runs that began before there were levels. */
  variableLevels: z.record(z.string(), SetLevel).optional(),
  /** Those of environments, by name in lower case. Absent where no job deploys; jobs have those of their own environment. */
  environmentVariables: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});
export type PipelineEvent = z.infer<typeof PipelineEvent>;
