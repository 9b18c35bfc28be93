/** One thing that happened to an item, as a line between comments. Names are those of that moment. */
import {
  ArrowRightLeft,
  Calendar,
  Check,
  CircleCheck,
  CircleDot,
  Copy,
  Eye,
  EyeOff,
  GitBranch,
  GitCommitHorizontal,
  GitMerge,
  GitPullRequestArrow,
  GitPullRequestDraft,
  Link2,
  Lock,
  ListPlus,
  ListX,
  LockOpen,
  Milestone,
  Pencil,
  Pin,
  PinOff,
  RotateCcw,
  Tag,
  Trash2,
  User,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/work-items.ts";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { LabelChip } from "../labels/label-chip.tsx";
import { commitAddress, compareAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Actor } from "./actor.tsx";
import { formatDay } from "./format-day.ts";
import styles from "./timeline-line.module.css";
import type { TimelineEvent } from "./work-item.ts";

const words = text.events;

export function TimelineLine({ event }: { event: TimelineEvent }) {
  const { icon: Icon, say, mayBeNobodys = false } = kinds[event.kind];
  return (
    <div className={styles.line}>
      <span className={styles.icon}>
        <Icon size={14} aria-hidden />
      </span>
      <div className={styles.words}>
        {event.actor === null && mayBeNobodys ? null : <Actor person={event.actor} />} {say(event)}{" "}
        <Time at={event.created_at} />
      </div>
    </div>
  );
}

interface Kind {
  icon: LucideIcon;
  say: (event: TimelineEvent) => ReactNode;
  /** Without an actor it was not a person, rather than one whose account is gone. */
  mayBeNobodys?: boolean;
}

const kinds: Readonly<Record<TimelineEvent["kind"], Kind>> = {
  labeled: { icon: Tag, say: (event) => <WithLabel words={words.labeled} event={event} /> },
  unlabeled: { icon: Tag, say: (event) => <WithLabel words={words.unlabeled} event={event} /> },
  assigned: { icon: User, say: (event) => aboutUser(event, words.assigned, words.assignedSelf) },
  unassigned: { icon: User, say: (event) => aboutUser(event, words.unassigned, words.unassignedSelf) },
  milestoned: { icon: Milestone, say: (event) => named(words.milestoned, event.milestone) },
  demilestoned: { icon: Milestone, say: (event) => named(words.demilestoned, event.milestone) },
  due: { icon: Calendar, say: ({ to }) => (to ? named(words.dueSet, formatDay(to)) : words.dueRemoved) },
  renamed: { icon: Pencil, say: (event) => <Renamed event={event} /> },
  closed: { icon: CircleCheck, say: (event) => <Closed event={event} /> },
  reopened: { icon: CircleDot, say: () => words.reopened },
  locked: { icon: Lock, say: () => words.locked },
  unlocked: { icon: LockOpen, say: () => words.unlocked },
  pinned: { icon: Pin, say: () => words.pinned },
  unpinned: { icon: PinOff, say: () => words.unpinned },
  pushed: { icon: GitCommitHorizontal, say: (event) => <Pushed event={event} /> },
  retargeted: { icon: GitBranch, say: (event) => <Retargeted event={event} /> },
  drafted: { icon: GitPullRequestDraft, say: () => words.drafted },
  readied: { icon: GitPullRequestArrow, say: () => words.readied },
  auto_merge_enabled: { icon: GitMerge, say: () => words.autoMergeEnabled },
  auto_merge_disabled: { icon: GitMerge, say: autoMergeEnded, mayBeNobodys: true },
  bypassed: { icon: LockOpen, say: ({ reason }) => `${words.bypassed} ${reason ?? ""}` },
  queued: { icon: ListPlus, say: () => words.queued },
  dequeued: { icon: ListX, say: ({ reason }) => `${words.dequeued} ${reason ?? ""}` },
  merged: { icon: GitMerge, say: (event) => <Merged event={event} /> },
  branch_deleted: { icon: Trash2, say: () => words.branchDeleted },
  branch_restored: { icon: GitBranch, say: () => words.branchRestored },
  referenced: { icon: Link2, say: ({ source }) => <Source before={words.referenced} source={source} /> },
  marked_duplicate: {
    icon: Copy,
    say: ({ source }) => <Source before={words.markedDuplicate} source={source} />,
  },
  unmarked_duplicate: {
    icon: Copy,
    say: ({ source }) => <Source before={words.unmarkedDuplicate} source={source} />,
  },
  got_duplicate: { icon: Copy, say: ({ source }) => <Source before={words.gotDuplicate} source={source} /> },
  transferred: {
    icon: ArrowRightLeft,
    say: ({ from }) => (from ? named(words.transferredFrom, from) : words.transferred),
  },
  reviewed: { icon: Eye, say: ({ review }) => words.reviewed[verdictOf(review?.state)] },
  review_dismissed: { icon: EyeOff, say: (event) => <Dismissed event={event} /> },
  review_requested: { icon: Eye, say: ({ user }) => named(words.reviewRequested, user ?? words.someTeam) },
  review_request_removed: {
    icon: EyeOff,
    say: ({ user }) => named(words.reviewRequestRemoved, user ?? words.someTeam),
  },
  thread_resolved: { icon: Check, say: (event) => <Settled event={event} verb={words.threadResolved} /> },
  thread_reopened: { icon: RotateCcw, say: (event) => <Settled event={event} verb={words.threadReopened} /> },
};

function WithLabel({ words: before, event }: { words: string; event: TimelineEvent }) {
  return (
    <>
      {before} <LabelChip name={event.label?.name ?? ""} color={event.label?.color ?? "808080"} />
    </>
  );
}

function Closed({ event }: { event: TimelineEvent }) {
  const { reason, source, commit } = event;
  const here = useRepository().full_name;
  const said = `${words.closed} ${closedAs(reason)}`.trim();
  if (source) return <Source before={`${said} ${words.closedBy}`} source={source} />;
  if (commit === undefined) return said;
  return (
    <>
      {said} {words.closedBy} <Commit id={commit} repository={event.commit_repository} here={here} />
    </>
  );
}

/** `repository`: where it is, if not here; null: nobody may tell the reader. */
function Commit(props: { id: string; repository: string | null | undefined; here: string }) {
  const { id, repository, here } = props;
  const name = <code>{shortName(id)}</code>;
  if (repository === null) return name;
  const place = repository === undefined || repository === here ? "" : `${repository}@`;
  return (
    <Link to={commitAddress({ full_name: repository ?? here }, id)} data-inline>
      {place}
      {name}
    </Link>
  );
}

/** With the name of its repository where that is another one. */
function Source({ before, source }: { before: string; source: TimelineEvent["source"] }) {
  const { full_name: here } = useRepository();
  if (!source) return before;
  const mark = source.type === "issue" ? "#" : "!";
  const place = source.repository === here ? "" : source.repository;
  return (
    <>
      {before}{" "}
      <Link to={new URL(source.web_url).pathname} data-inline>
        {source.title}{" "}
        <span className={styles.number}>
          {place}
          {mark}
          {source.number}
        </span>
      </Link>
    </>
  );
}

function Renamed({ event: { from, to } }: { event: TimelineEvent }) {
  return (
    <>
      {words.renamed} <del>{from}</del> {words.renamedTo} <strong>{to}</strong>
    </>
  );
}

function Pushed({ event: { from, to } }: { event: TimelineEvent }) {
  const repository = useRepository();
  if (!from || !to) return words.pushed;
  return (
    <>
      {words.pushed}{" "}
      <Link to={compareAddress(repository, from, to)} data-inline>
        <code>
          {shortName(from)}…{shortName(to)}
        </code>
      </Link>
    </>
  );
}

function Retargeted({ event: { from, to } }: { event: TimelineEvent }) {
  return (
    <>
      {words.retargeted} <code>{from}</code> {words.retargetedTo} <code>{to}</code>
    </>
  );
}

function autoMergeEnded({ actor, reason = "" }: TimelineEvent): string {
  const why: Readonly<Record<string, string>> = words.autoMergeEnds;
  return `${actor ? words.autoMergeEnded : words.autoMergeEndedAlone} ${why[reason] ?? reason}`;
}

function Merged({ event: { to, reason } }: { event: TimelineEvent }) {
  const repository = useRepository();
  if (!to) return words.merged;
  return (
    <>
      {reason === "auto_merge" ? words.mergedByItself : words.merged} {words.mergedAs}{" "}
      <Link to={commitAddress(repository, to)} data-inline>
        <code>{shortName(to)}</code>
      </Link>
    </>
  );
}

function Dismissed({ event: { user, reason } }: { event: TimelineEvent }) {
  return (
    <>
      {words.dismissed} <strong>{user ?? text.deletedAccount}</strong>
      {reason ? `: ${reason}` : ""}
    </>
  );
}

function Settled({ event: { thread_id: id }, verb }: { event: TimelineEvent; verb: string }) {
  return (
    <>
      {verb} {id === undefined ? words.aThread : <a href={`#${id}`}>{words.aThread}</a>}
    </>
  );
}

function verdictOf(state: string | undefined): keyof typeof words.reviewed {
  return state === "approved" || state === "changes_requested" ? state : "commented";
}

function aboutUser({ actor, user }: TimelineEvent, other: string, self: string): ReactNode {
  return actor !== null && actor.username === user ? self : named(other, user);
}

function named(before: string, name: string | undefined): ReactNode {
  return (
    <>
      {before} <strong>{name}</strong>
    </>
  );
}

function closedAs(reason: string | undefined): string {
  return Object.entries(words.closedAs).find(([known]) => known === reason)?.[1] ?? "";
}
