/** Words of the inbox, and of what somebody is told of. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { formatCount } from "../ui/size.ts";

type Notification = Schemas["Notification"];
type Happened = Pick<Notification, "event" | "reason" | "because">;

const entries = (count: number) => (count === 1 ? "1 entry" : `${formatCount(count)} entries`);

export const text = {
  title: "Notifications",
  views: "Views",
  view: { inbox: "Inbox", unread: "Unread", saved: "Saved", done: "Done" },
  reason: "Reason",
  anyReason: "Any reason",
  reasons: {
    mention: "You were mentioned",
    team_mention: "Your team was mentioned",
    review_requested: "Your review was requested",
    approval_requested: "A run waits for your approval",
    assign: "You are assigned",
    author: "You opened it",
    auto_merge: "You asked for its merge",
    comment: "You commented",
    subscribed: "You subscribed",
    watching: "You watch the repository",
  } satisfies Record<Notification["reason"], string>,
  happened: (actor: string, { event, reason, because }: Happened) => {
    const why = because === null ? "" : `: ${because}`;
    const said: Record<string, string> = {
      opened: "opened it",
      edited: "edited it",
      closed: "closed it",
      reopened: "reopened it",
      merged: "merged it",
      review_requested: "asked for your review",
      approval_rejected: "refused to run its pipelines",
      reviewed: "reviewed it",
      commented: "commented",
    };
    if (event === "auto_merge_disabled") return `It is not merged by itself any more${why}`;
    if (event === "dequeued") return `It left the merge queue${why}`;
    if (event === "approval_requested") return `Waiting for your approval: run by ${actor}`;
    if (event === "approval_expired") return "Nobody approved its run in time";
    if (event === "merged" && reason === "auto_merge") return "It was merged, as you had asked";
    return `${actor} ${said[event] ?? event}`;
  },
  waitingRuns: "Runs that wait",
  somebody: "Somebody",
  newEvents: (count: number) => `${formatCount(count)} new`,
  unread: "Unread",
  list: (repository: string) => `Notifications of ${repository}`,
  select: (title: string) => `Select ${title}`,
  selectAll: "Select all",
  selected: (count: number) => `${entries(count)} selected`,
  bulk: "Change the selected ones together",
  markRead: "Mark as read",
  markReadOf: (title: string) => `Mark as read: ${title}`,
  markUnreadOf: (title: string) => `Mark as unread: ${title}`,
  done: "Done",
  doneOf: (title: string) => `Done: ${title}`,
  undone: "Back to the inbox",
  undoneOf: (title: string) => `Back to the inbox: ${title}`,
  save: "Save",
  saveOf: (title: string) => `Save: ${title}`,
  unsaveOf: (title: string) => `No longer save: ${title}`,
  markAll: "Mark all as read",
  allRead: "Everything is read.",
  settings: "Mail",
  pages: "Pages of notifications",
  emptyTitle: "Nothing here",
  empty: {
    inbox: "You are told when somebody mentions or assigns you, and of what you take part in or watch.",
    unread: "You have read everything.",
    saved: "What you save is kept here, also when it is done.",
    done: "What you put away is kept here for 90 days, and comes back when something happens.",
  },
  noneFits: "Nothing is here for this reason.",
  watch: "Watch",
  levels: {
    watching: "Watching",
    participating: "Participating",
    custom: "Custom",
    muted: "Muted",
  },
  levelChoices: {
    participating: "What involves you",
    watching: "Everything",
    issues: "What involves you, and all issues",
    merge_requests: "What involves you, and all merge requests",
    muted: "Nothing, not even mentions",
  },
  toldOf: "You are told of",
  subscription: "Notifications",
  subscribe: "Subscribe",
  unsubscribe: "Unsubscribe",
  notSubscribed: "You are not told of what happens here.",
  threadMuted: "You are told only when somebody mentions or assigns you.",
  repositoryMuted: "You muted the repository.",
  because: {
    manual: "You are told because you subscribed.",
    mention: "You are told because you were mentioned.",
    review_requested: "You are told because you review it.",
    assign: "You are told because you are assigned.",
    author: "You are told because you opened it.",
    comment: "You are told because you commented.",
    watching: "You are told because you watch the repository.",
  },
} as const;
