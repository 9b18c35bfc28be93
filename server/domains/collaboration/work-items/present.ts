/** What issues and merge requests share, as the REST interface shows it. */
import type { Person } from "@forgeline/schemas/users/person.ts";
import type { TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser, type UserSnapshot } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import type { EventRow, EventSource } from "./work-items.store.ts";

/** Null stays null: the account was deleted. */
export function presentPersonOrNull(user: UserSnapshot | null, addresses: Addresses): Person | null {
  return user && presentEventUser(user, addresses);
}

/** Of `OWNER/NAME`. */
export function namesOf(fullName: string): { owner: string; name: string } {
  const [owner = "", name = ""] = fullName.split("/");
  return { owner, name };
}

export function presentEvent(row: EventRow, addresses: Addresses): TimelineEvent {
  return {
    id: row.id,
    kind: row.kind,
    actor: presentPersonOrNull(row.actor, addresses),
    ...presentDetails(row),
    ...(row.source ? { source: presentSource(row.source, addresses) } : {}),
    created_at: row.created_at.toISOString(),
  };
}

function presentSource(source: EventSource, addresses: Addresses): NonNullable<TimelineEvent["source"]> {
  const { full_name: repository, kind: type, number, title, state } = source;
  const address = repositoryAddress(addresses, namesOf(repository));
  const place = type === "issue" ? "issues" : "merge-requests";
  const shown = { type, repository, number, title, state };
  return { ...shown, web_url: address.web(place, String(number)) };
}

function presentDetails({ kind, details, origin }: EventRow): Partial<TimelineEvent> {
  const text = (name: string) => details[name] ?? "";
  switch (kind) {
    case "labeled":
    case "unlabeled":
      return { label: { name: text("name"), color: text("color") } };
    case "assigned":
    case "unassigned":
      return { user: text("username") };
    case "milestoned":
    case "demilestoned":
      return { milestone: text("title") };
    case "renamed":
    case "due":
    case "pushed":
    case "retargeted":
    case "merged":
      return { from: details["from"] ?? null, to: details["to"] ?? null };
    case "reviewed":
      return { review: { id: text("review_id"), state: text("state") } };
    case "review_dismissed":
      return {
        review: { id: text("review_id"), state: text("state") },
        ...(details["username"] ? { user: text("username") } : {}),
        reason: text("reason"),
      };
    case "review_requested":
    case "review_request_removed":
      return details["username"] ? { user: text("username") } : {};
    case "thread_resolved":
    case "thread_reopened":
      return { thread_id: text("thread_id") };
    case "closed":
      return presentClosing(details);
    case "transferred":
      return { from: origin };
    case "bypassed":
      return { reason: text("reason") };
    default:
      return {};
  }
}

function presentClosing({ reason, commit }: EventRow["details"]): Partial<TimelineEvent> {
  return { ...(reason ? { reason } : {}), ...(commit ? { commit } : {}) };
}
