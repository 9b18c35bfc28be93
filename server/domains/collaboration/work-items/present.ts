/** What issues and merge requests share, as the REST interface shows it. */
import type { Person } from "@forgeline/schemas/users/person.ts";
import type { ImportedAuthor, TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser, type UserSnapshot } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import type { EventRow, EventSource } from "./work-items.store.ts";

/** Null stays null: the account was deleted. */
export function presentPersonOrNull(user: UserSnapshot | null, addresses: Addresses): Person | null {
  return user && presentEventUser(user, addresses);
}

/** Of `HOST/NAME`; events of earlier releases know none. */
export function presentImportedAuthor(text: string | null | undefined): ImportedAuthor {
  if (text === null || text === undefined) return null;
  const slash = text.indexOf("/");
  return { host: text.slice(0, slash), name: text.slice(slash + 1) };
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

/** Why something ended, and the commit that ended it. */
function presentEnd({ details, elsewhere, commit_repository }: EventRow): Partial<TimelineEvent> {
  const { commit } = details;
  const fixed = commit ? { commit, ...(elsewhere ? { commit_repository } : {}) } : {};
  return { ...presentReason(details), ...fixed };
}

function presentDetails(row: EventRow): Partial<TimelineEvent> {
  const { kind, details, origin } = row;
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
      return { from: details["from"] ?? null, to: details["to"] ?? null, ...presentReason(details) };
    case "reviewed":
    case "review_dismissed":
      return {
        review: { id: text("review_id"), state: text("state") },
        ...presentAsked(details),
        ...presentReason(details),
      };
    case "review_requested":
    case "review_request_removed":
      return presentAsked(details);
    case "thread_resolved":
    case "thread_reopened":
      return { thread_id: text("thread_id") };
    case "transferred":
      return { from: origin };
    case "closed":
    case "bypassed":
    case "dequeued":
    case "auto_merge_disabled":
      return presentEnd(row);
    default:
      return {};
  }
}

/** A team is named by nobody here. */
function presentAsked({ username }: EventRow["details"]): Pick<TimelineEvent, "user"> {
  return username ? { user: username } : {};
}

function presentReason({ reason }: EventRow["details"]): Pick<TimelineEvent, "reason"> {
  return reason ? { reason } : {};
}
