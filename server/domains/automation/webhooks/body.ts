/** The body of a delivery, from the event as it was recorded (`schemas/webhooks/payloads.ts` describes the result). */
import type { Addresses } from "../../../platform/addresses.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { presentEventUser, type UserSnapshot } from "../../accounts/domain.ts";
import {
  presentEventComment,
  presentEventIssue,
  presentEventMergeRequest,
  presentEventReview,
  presentEventTeamNews,
  type CommentSnapshot,
  type IssueSnapshot,
  type MergeRequestSnapshot,
  type ReviewRequest,
  type ReviewSnapshot,
  type TeamNewsSubject,
} from "../../collaboration/domain.ts";
import { presentEventRepository, type RepositorySnapshot } from "../../hosting/domain.ts";
import { presentEventRun, type RunSnapshot } from "../../pipelines/domain.ts";
import { toBody } from "./trim.ts";

/** A row of `events` as a delivery needs it. */
export interface DeliveredEvent {
  kind: string;
  action: string;
  repository: RepositorySnapshot | null;
  organization: OrganizationSnapshot | null;
  sender: UserSnapshot | null;
  subject: Record<string, unknown>;
  occurred_at: Date;
}

export interface OrganizationSnapshot {
  id: string;
  name: string;
}

/** The same for the same delivery, however often it is asked for. */
export function bodyOf(
  delivery: { id: string; number: number; test: boolean },
  event: DeliveredEvent,
  addresses: Addresses,
): string {
  const { kind, action, repository, organization, sender } = event;
  return toBody({
    event: kind,
    action,
    delivery: delivery.id,
    sequence: delivery.number,
    ...(delivery.test ? { test: true } : {}),
    timestamp: event.occurred_at.toISOString(),
    repository: repository && presentEventRepository(repository, addresses),
    organization: organization ? organizationRecord(organization, addresses) : ownerOf(repository, addresses),
    sender: sender && presentEventUser(sender, addresses),
    ...subjectOf(event, addresses),
  });
}

function organizationRecord({ id, name }: OrganizationSnapshot, addresses: Addresses) {
  const path = encodeURIComponent(name);
  return { id, name, url: `${addresses.baseUrl}/orgs/${path}`, web_url: `${addresses.webUrl}/${path}` };
}

/** The organization that owns the repository. */
function ownerOf(repository: RepositorySnapshot | null, addresses: Addresses) {
  if (repository?.owner_kind !== "org") return null;
  return organizationRecord({ id: repository.owner_id, name: repository.owner }, addresses);
}

function subjectOf(event: DeliveredEvent, addresses: Addresses): object {
  const { kind, subject, repository } = event;
  if (kind === "push" || kind === "tag") return refSubject(kind, subject);
  if (subject["pipeline"] && repository) {
    const view = { ...addresses, nowMs: event.occurred_at.getTime() };
    const pipeline = presentEventRun(subject["pipeline"] as RunSnapshot, repository, view);
    return { ...subject, pipeline };
  }
  if (kind === "issue" && repository)
    return { issue: presentEventIssue(subject["issue"] as IssueSnapshot, repository, addresses) };
  if (kind === "merge_request" && repository) return mergeRequestSubject(subject, repository, addresses);
  if (kind === "merge_request_review" && repository)
    return {
      merge_request: presentEventMergeRequest(
        subject["merge_request"] as MergeRequestSnapshot,
        repository,
        addresses,
      ),
      review: presentEventReview(subject["review"] as ReviewSnapshot, repository, addresses),
    };
  if (kind === "comment" && repository)
    return commentSubject(subject["comment"] as CommentSnapshot, repository, addresses);
  if (kind === "team_notification" && repository)
    return presentEventTeamNews(subject as unknown as TeamNewsSubject, repository, addresses);
  if (kind === "member") {
    const { user, changes, ...member } = subject;
    const shown = user === null ? null : presentEventUser(user as UserSnapshot, addresses);
    return { member: { user: shown, ...member }, ...(changes === undefined ? {} : { changes }) };
  }
  return subject;
}

/** Which teams are asked is for those who may see the teams. */
function mergeRequestSubject(
  subject: Record<string, unknown>,
  repository: RepositorySnapshot,
  addresses: Addresses,
): object {
  const row = subject["merge_request"] as MergeRequestSnapshot;
  const { reason, bypassed, bypass } = subject;
  const requested = subject["requested"] as ReviewRequest | undefined;
  const people = (row.reviewers ?? []).filter(({ id }) => requested?.users.includes(id));
  return {
    merge_request: presentEventMergeRequest(row, repository, addresses),
    ...(reason === undefined ? {} : { reason }),
    ...(bypassed === undefined ? {} : { bypassed, bypass }),
    ...(requested ? { requested: people.map((user) => presentEventUser(user, addresses)) } : {}),
  };
}

function commentSubject(row: CommentSnapshot, repository: RepositorySnapshot, addresses: Addresses): object {
  const { kind: type, number, title } = row;
  return { comment: presentEventComment(row, repository, addresses), on: { type, number, title } };
}

function refSubject(kind: string, subject: Record<string, unknown>): object {
  const { ref, before, after, commits = [], total_commits = 0, forced = false, job = null } = subject;
  const [created, deleted] = [before === zeroId, after === zeroId];
  const moved = { ref, before, after, created, deleted, job };
  // A tag that moves is always moved by force.
  if (kind === "tag") return { ...moved, forced: !created && !deleted };
  return { ...moved, forced, commits, total_commits };
}
