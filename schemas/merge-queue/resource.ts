/** The merge queue of a branch: which merge requests wait to be tested and to land there. */
import { z } from "zod";
import { MergeQueueSettings } from "../branch-protections/merge-queue.ts";
import { objectId } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { MergeStrategy } from "../core/merge-strategies.ts";
import { timestamp } from "../core/time.ts";
import { Status } from "../pipelines/status.ts";
import { Person } from "../users/person.ts";

/** Merge requests that can wait in one queue. */
export const maxQueued = 100;

export const queueStates = ["queued", "testing", "landing"] as const;
export const QueueState = z
  .enum(queueStates)
  .describe(
    "`queued`: it waits. `testing`: runs test what the branch becomes with it. `landing`: they have succeeded, and the branch is about to move.",
  );
export type QueueState = z.infer<typeof QueueState>;

/** As the record of a merge request shows it. */
export const QueuePlace = z
  .object({
    position: z.number().int().describe("1 is the next one."),
    state: QueueState,
    queued_by: Person.nullable().describe("Null: the account was deleted."),
    queued_at: timestamp,
  })
  .meta({ id: "MergeQueuePlace" });
export type QueuePlace = z.infer<typeof QueuePlace>;

export const MergeQueueEntry = z
  .object({
    ...QueuePlace.shape,
    number: z.number().int().describe("Of the merge request."),
    title: z.string(),
    head_sha: objectId.describe("What was added; it leaves the queue when the source branch moves."),
    strategy: MergeStrategy,
    web_url: z.string(),
  })
  .meta({ id: "MergeQueueEntry" });
export type MergeQueueEntry = z.infer<typeof MergeQueueEntry>;

export const MergeQueueBatch = z
  .object({
    state: z.enum(["testing", "landing"]),
    base_sha: objectId.describe(
      "What it is built on: where the branch was, or the commit of the batch before it.",
    ),
    sha: objectId.describe("What is tested, and what the branch moves to."),
    size: z.number().int(),
    created_at: timestamp,
    runs: z
      .array(
        z.object({
          id: idOf("pipe"),
          number: z.number().int(),
          pipeline: z.string().describe("Path of the pipeline file."),
          status: Status,
          web_url: z.string(),
        }),
      )
      .describe("Empty where runs are not for the caller."),
  })
  .meta({ id: "MergeQueueBatch" });

export const MergeQueue = z
  .object({
    branch: z.string(),
    settings: MergeQueueSettings.nullable().describe("Null: no rule gives the branch a queue."),
    paused_at: timestamp.nullable().describe("Nothing is tested and nothing lands; null: it goes on."),
    paused_by: Person.nullable(),
    batch: MergeQueueBatch.nullable().describe("The first of `batches`; null: nothing is tested."),
    batches: z
      .array(MergeQueueBatch)
      .describe("What is being tested, in the order in which it lands; each is built on the one before it."),
    entries: z.array(MergeQueueEntry).describe("In their order; at most 100."),
    branches: z.array(z.string()).describe("Branches in whose queues something waits; at most 100."),
  })
  .meta({ id: "MergeQueue" });
export type MergeQueue = z.infer<typeof MergeQueue>;

export const MergeQueueAdd = z
  .strictObject({
    number: z.int().min(1).max(2_147_483_647).describe("Of the merge request."),
    sha: objectId.optional().describe("The head that was seen; 409 where the source branch has moved since."),
    strategy: MergeStrategy.prefault("merge").describe("As when it is merged directly."),
    commit_message: z
      .string()
      .max(65_536)
      // oxlint-disable-next-line no-control-regex -- it is what is refused
      .regex(/^[^\u0000]*\S[^\u0000]*$/, "A message must not be empty, and cannot contain the character NUL.")
      .optional()
      .describe("Of the commit that is made; `rebase` and `fast_forward` make none of their own."),
    delete_source_branch: z.boolean().prefault(false).describe("Once it has landed."),
  })
  .meta({ id: "MergeQueueAdd", examples: [{ number: 12, strategy: "squash" }] });
export type MergeQueueAdd = z.output<typeof MergeQueueAdd>;

export const MergeQueueMove = z
  .strictObject({ position: z.literal("first").describe("Before all others.") })
  .meta({ id: "MergeQueueMove", examples: [{ position: "first" }] });

export const MergeQueueUpdate = z
  .strictObject({
    branch: z.string().min(1).max(1000).optional().describe("Default: the default branch."),
    paused: z.boolean().describe("Nothing is tested and nothing lands until it goes on."),
  })
  .meta({ id: "MergeQueueUpdate", examples: [{ paused: true }] });
export type MergeQueueUpdate = z.output<typeof MergeQueueUpdate>;
