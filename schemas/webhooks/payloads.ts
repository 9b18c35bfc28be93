/** Bodies of deliveries, by event (`decisions.md`, "Webhooks" and "Records"). OpenAPI shows them; `docs/webhooks.md` explains them. */
import { z } from "zod";
import { forkRunEnds } from "../approvals/fork-run-ends.ts";
import { ApprovalGate } from "../approvals/resource.ts";
import { Comment } from "../comments/resource.ts";
import { Commit } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { RepositoryLevel } from "../core/repository-levels.ts";
import { timestamp } from "../core/time.ts";
import { Deployment } from "../environments/resource.ts";
import { eventActions, eventKinds, type EventKind } from "../events/event-kind.ts";
import { Issue } from "../issues/resource.ts";
import { autoMergeEnds } from "../merge-requests/auto-merge.ts";
import { MergeRequest } from "../merge-requests/resource.ts";
import { OrganizationRole } from "../organizations/resource.ts";
import { PipelineSummary } from "../pipelines/resource.ts";
import { Repository } from "../repositories/resource.ts";
import { Review } from "../reviews/resource.ts";
import { User } from "../users/resource.ts";

const EventRepository = Repository.omit({ permissions: true, upstream: true }).meta({
  id: "WebhookRepository",
});
const EventUser = User.omit({ email: true }).meta({ id: "WebhookUser" });
const EventOrganization = z
  .object({ id: idOf("org"), name: z.string(), url: z.string(), web_url: z.string() })
  .meta({ id: "WebhookOrganization" });

// What depends on who asks, or on what has happened since, is left to those who ask.
const EventApproval = ApprovalGate.omit({
  may_decide: true,
  newer: true,
  rollback: true,
  shortage: true,
}).meta({
  id: "WebhookApproval",
});
const EventDeployment = Deployment.omit({ is_current: true, pipeline: true }).meta({
  id: "WebhookDeployment",
});

const changes = z
  .record(z.string(), z.object({ from: z.unknown() }))
  .optional()
  .describe("What was changed, with the value before.");
const moved = {
  ref: z.string().describe("`refs/heads/…` or `refs/tags/…`."),
  before: z.string().describe("Forty zeros if it was created."),
  after: z.string().describe("Forty zeros if it was deleted."),
  created: z.boolean(),
  deleted: z.boolean(),
  job: idOf("job").nullable().describe("The job whose token pushed, for `sender`; null: no job did."),
  forced: z.boolean().describe("What it pointed to before is no longer part of its history."),
};
const text = z.string();

// What the caller may do, and what they see elsewhere, depends on who asks.
const EventMergeRequest = MergeRequest.omit({
  viewer_may: true,
  reactions: true,
  reviewer_teams: true,
  closes: true,
}).meta({ id: "WebhookMergeRequest" });
const EventReview = Review.omit({ viewer_may: true, reactions: true }).meta({ id: "WebhookReview" });
const EventIssue = Issue.omit({
  viewer_may: true,
  reactions: true,
  duplicate_of: true,
  closing_merge_requests: true,
}).meta({ id: "WebhookIssue" });
const EventComment = Comment.omit({ viewer_may: true, reactions: true }).meta({ id: "WebhookComment" });

const subjects = {
  push: {
    ...moved,
    commits: z.array(Commit).describe("Oldest first; of more than 100, the newest 100."),
    total_commits: z.number().int(),
  },
  tag: moved,
  merge_request: {
    merge_request: EventMergeRequest,
    reason: z
      .enum([...new Set([...autoMergeEnds, ...forkRunEnds])])
      .exactOptional()
      .describe(
        "Of `auto_merge_disabled`: why it does not wait any more; of `approval_ended`: what became of a run.",
      ),
    requested: z
      .array(EventUser)
      .exactOptional()
      .describe("Of `review_requested`: the people who are asked. Teams are never named."),
    bypassed: z
      .literal(true)
      .exactOptional()
      .describe("Of `merged`: it was merged without something that rules for the target branch require."),
    bypass: z
      .object({ reason: text, missing: z.array(text) })
      .exactOptional()
      .describe("With `bypassed`: why, and what was missing, in words."),
  },
  merge_request_review: { merge_request: EventMergeRequest, review: EventReview },
  issue: { issue: EventIssue },
  comment: {
    comment: EventComment,
    on: z
      .object({ type: z.enum(["issue", "merge_request"]), number: z.number().int(), title: text })
      .describe("What it stands below."),
  },
  pipeline: { pipeline: PipelineSummary },
  approval: { approval: EventApproval, pipeline: PipelineSummary },
  deployment: { deployment: EventDeployment, pipeline: PipelineSummary },
  repository: { changes },
  package: { package: z.looseObject({ name: text, type: text }), version: text },
  member: {
    member: z.object({
      user: EventUser.nullable(),
      role: OrganizationRole.optional().describe("In an organization."),
      permission: RepositoryLevel.optional().describe("On a repository."),
    }),
    changes,
  },
  team_notification: {
    team: z.object({ id: idOf("team"), full_name: text, url: text, web_url: text }),
    on: z
      .object({
        type: z.enum(["issue", "merge_request"]),
        number: z.number().int(),
        title: text,
        url: text,
        web_url: text,
      })
      .describe("Where the team is named, or asked for a review."),
  },
  ping: { webhook: z.object({ id: idOf("hook"), events: z.array(text) }) },
} as const satisfies Record<EventKind, z.ZodRawShape>;

function payloadOf(kind: EventKind) {
  const actions: readonly string[] = eventActions[kind];
  return z
    .object({
      event: z.literal(kind),
      action: actions.length > 0 ? z.enum(actions as [string]) : text,
      delivery: idOf("dlv").describe("The same in each attempt."),
      sequence: z
        .number()
        .int()
        .describe("Rises by one with each delivery of this webhook; `number` of the delivery's record."),
      test: z
        .literal(true)
        .optional()
        .describe(
          "Sent on request, to try the endpoint; to be ignored. A test has an id and a sequence of its own, and the time and content of an earlier event.",
        ),
      truncated: z.literal(true).optional().describe("Long text or lists were cut."),
      timestamp: timestamp.describe("When it happened."),
      repository: EventRepository.nullable().describe(
        "As it was then; null in what concerns an organization itself: its `member` and `ping`.",
      ),
      organization: EventOrganization.nullable(),
      sender: EventUser.nullable().describe(
        "Who did it; null if no user did, but a mirror, a schedule or the system.",
      ),
      ...subjects[kind],
    })
    .meta({ id: `${nameOf(kind)}Payload` });
}

function nameOf(kind: EventKind): string {
  return `Webhook${kind.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}`;
}

/** By event. */
export const webhookPayloads = Object.fromEntries(
  eventKinds.map((kind) => [kind, payloadOf(kind)]),
) as unknown as Record<EventKind, z.ZodObject>;
