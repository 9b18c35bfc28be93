/** What Temporal does in the background, in words of ours. Ids and names only: what workflows are given and answer is not shown. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const WorkKind = z
  .enum([
    "pipeline_run",
    "repository_upkeep",
    "repository_statistics",
    "event_follower",
    "webhook_retries",
    "key_rotation",
    "upkeep_task",
    "mirror_sync",
    "push_mirror_sync",
    "fork_sync",
    "repository_import",
    "audit_export",
    "audit_stream",
    "other",
  ])
  .describe(
    "`pipeline_run`: decides what of a run comes next; `repository_upkeep`: a round that repacks and checks what is due; `repository_statistics`: counts what was pushed; `event_follower`: tells webhooks or push mirrors of what happens, or starts scheduled pipelines, always running; `webhook_retries`: tries again what one webhook did not accept; `key_rotation`: encrypts what the instance keeps with a new key; `upkeep_task`: one run of a schedule of upkeep; `mirror_sync`: one sync of a mirror; `push_mirror_sync`: one sync of a push mirror; `fork_sync`: one sync of a fork with its upstream; `repository_import`: brings a repository over from another host; `audit_export`: writes the file of an export of an audit log; `audit_stream`: sends an audit log to its target, while entries wait; `other`: what this version does not know.",
  );
export type WorkKind = z.infer<typeof WorkKind>;

const states = ["running", "completed", "failed", "timed_out", "cancelled", "terminated"] as const;
export const WorkState = z
  .enum(states)
  .describe("`terminated`: ended from outside, without a chance to tidy up.");
export type WorkState = z.infer<typeof WorkState>;

export const WorkStateFilter = z.enum([...states, "unsuccessful"]);
export type WorkStateFilter = z.infer<typeof WorkStateFilter>;

export const WorkFailure = z
  .object({
    type: z.string().describe("A code of ours, the name of an error, or what Temporal calls it."),
    message: z
      .string()
      .describe(
        "Without a stack trace, at most 2,000 characters; anything that looks like a secret is removed.",
      ),
  })
  .meta({ id: "WorkFailure" });
export type WorkFailure = z.infer<typeof WorkFailure>;

export const WorkStep = z
  .object({
    name: z.string().describe("Of the activity; `decision` is the work's own next decision."),
    state: z
      .enum(["running", "waiting_for_worker", "waiting_for_retry", "paused", "cancelling"])
      .describe(
        "`waiting_for_worker`: nobody has taken it yet; `waiting_for_retry`: it failed, see `next_attempt_at`.",
      ),
    attempt: z.number().int(),
    attempts_allowed: z.number().int().nullable().describe("Null: unlimited."),
    since: timestamp.describe("When it was put into the queue, or this attempt of it was started."),
    next_attempt_at: timestamp.nullable(),
    repository: z.string().nullable().describe("`OWNER/NAME`, where the step is about one."),
    failure: z
      .array(WorkFailure)
      .describe("Of the attempt before, outermost first; empty when there is none."),
  })
  .meta({ id: "WorkStep" });
export type WorkStep = z.infer<typeof WorkStep>;

export const WorkSubject = z
  .object({
    repository: z
      .string()
      .nullable()
      .describe("`OWNER/NAME`; null for a webhook or an audit log of an organization."),
    repository_url: z.string().nullable(),
    organization: z
      .string()
      .nullable()
      .describe("Its name, for a webhook or an audit log of an organization."),
    pipeline_id: idOf("pipe").nullable().describe("The run, where the work decides one."),
    pipeline_number: z.number().int().nullable(),
    pipeline_status: z.string().nullable(),
    web_url: z.string().describe("Of the run, the webhook, the export or stream, or the repository."),
  })
  .meta({ id: "WorkSubject" });
export type WorkSubject = z.infer<typeof WorkSubject>;

const work = {
  id: z.string().describe("Temporal's workflow id. Work that was restarted keeps its id."),
  execution: z.uuid().describe("Temporal's run id."),
  kind: WorkKind,
  state: WorkState,
  superseded: z.boolean().describe("Newer work with the same id exists: this one is history."),
  subject: WorkSubject.nullable().describe("Null where it is about nothing single, or that is gone."),
  waiting_for: z
    .array(WorkStep)
    .describe(
      "What runs or waits in it now. Empty while it waits for something outside, such as the jobs of a run.",
    ),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  duration_ms: z.number().int().nullable().describe("Null until it has ended."),
  url: z.string().describe("Address of this record in the API."),
  web_url: z.string(),
};

export const Work = z.object(work).meta({ id: "Work" });
export type Work = z.infer<typeof Work>;

export const WorkPage = z
  .object({
    work: z.array(Work),
    next_cursor: z.string().nullable().describe("Send it as `cursor` to get the next page; null at the end."),
  })
  .meta({ id: "WorkPage" });
export type WorkPage = z.infer<typeof WorkPage>;

export const WorkDetail = z
  .object({
    ...work,
    failure: z.array(WorkFailure).describe("Why it did not succeed, outermost first; empty otherwise."),
    may_cancel: z.boolean(),
    may_end: z.boolean().describe("Whether cancelling with `force` has something to end."),
    may_retry: z
      .enum(["now", "again"])
      .nullable()
      .describe(
        "What a retry does: `now` does not wait for the next attempt of a step; `again` goes on with, or begins anew, what has ended. Null: nothing.",
      ),
  })
  .meta({ id: "WorkDetail" });
export type WorkDetail = z.infer<typeof WorkDetail>;

export const WorkCancel = z
  .strictObject({
    force: z
      .boolean()
      .default(false)
      .describe(
        "Do not wait for its cleanup. A run whose work cannot go on ends as `error` then; jobs that run are stopped.",
      ),
  })
  .meta({ id: "WorkCancel", examples: [{ force: false }] });

const Queue = z.object({
  tasks: z.number().int().describe("Roughly, without those that a worker keeps for itself for some seconds."),
  oldest_seconds: z.number().describe("How long the oldest has waited."),
});

export const WorkOverview = z
  .object({
    task_queue: z.string().describe("By which workers find the work of this instance."),
    workers: z
      .array(
        z.object({
          name: z.string().describe("`PID@HOST` of the process."),
          last_seen_at: timestamp.describe(
            "When it last asked for something to do; workers ask once a minute or more.",
          ),
        }),
      )
      .describe("Workers that asked within the last five minutes. Without one everything waits."),
    decisions: Queue.describe("Decisions that are waiting for a worker."),
    steps: Queue.describe("Steps that wait for a worker."),
    handover: z
      .object({
        waiting: z.number().int(),
        refused: z.number().int().describe("No longer retried; the server's log has the reason."),
      })
      .describe("Intents that the servers have stored but not yet delivered to Temporal."),
    counts: z
      .array(z.object({ kind: WorkKind, state: WorkState, count: z.number().int() }))
      .describe(
        "Work that Temporal still knows: what runs, and what ended within its retention, three days with `npm start`.",
      ),
  })
  .meta({ id: "WorkOverview" });
export type WorkOverview = z.infer<typeof WorkOverview>;
