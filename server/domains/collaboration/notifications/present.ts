/** Entries of inboxes, and what somebody is told of, as the REST interface shows them. */
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import type { ItemSubscription } from "@forgeline/schemas/subscriptions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { NotificationRow } from "./inbox.store.ts";
import type { ItemFacts } from "./subscriptions.store.ts";
import { whyEnded } from "./why-ended.ts";
import { watches } from "./who-is-told.ts";

export function presentNotification(row: NotificationRow, addresses: Addresses): Notification {
  const owner = row.owner ?? "";
  const name = row.name ?? "";
  const address = repositoryAddress(addresses, { owner, name });
  const place = row.kind === "issue" ? "issues" : "merge-requests";
  const number = String(row.number);
  return {
    id: row.id,
    reason: row.reason,
    subject: {
      type: row.kind,
      number: row.number,
      title: row.title,
      state: row.state,
      url: address.api(place, number),
      web_url: address.web(place, number),
    },
    repository: {
      id: row.repository_id,
      full_name: `${owner}/${name}`,
      url: address.api(),
      web_url: address.web(),
    },
    event: row.event,
    because: whyEnded({ ...row, actor: row.actor?.username ?? null }),
    actor: presentPersonOrNull(row.actor, addresses),
    unread: row.unread,
    new_events: row.new_events,
    saved: row.saved_at !== null,
    done: row.done_at !== null,
    read_at: row.read_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/notifications/${row.id}`,
    web_url: address.web(place, number),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentItemSubscription(facts: ItemFacts): ItemSubscription {
  const { notification_id: id, level, thread } = facts;
  const muted = level === "muted" ? "repository" : thread === "muted" ? "thread" : null;
  const reason = muted ? null : reasonOf(facts);
  const notification = id === null ? null : { id, unread: facts.unread ?? false };
  return { subscribed: reason !== null, reason, muted, notification };
}

function reasonOf(facts: ItemFacts): ItemSubscription["reason"] {
  if (facts.thread === "subscribed" && facts.thread_reason === "manual") return "manual";
  if (facts.is_reviewer) return "review_requested";
  if (facts.is_assignee) return "assign";
  if (facts.is_author) return "author";
  if (facts.has_commented) return "comment";
  if (facts.thread === "subscribed") return "mention";
  return watches(facts, facts.kind) ? "watching" : null;
}
