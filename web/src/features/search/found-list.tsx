/** What a search found, one below the other, each with its repository. */
import { MessageSquare, Milestone } from "lucide-react";
import { Link } from "react-router";
import { text as issues } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Time } from "../../ui/time.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { MergeRequestMark } from "../merge-requests/state-mark.tsx";
import { nameOfAuthor } from "../work-items/actor.tsx";
import { IssueIcon, issueTone, StateMark } from "../work-items/state-badge.tsx";
import styles from "./found-list.module.css";
import type { FoundItem } from "./use-search.ts";

const places = { issue: "issues", merge_request: "merge-requests" } as const;
const marks = { issue: "#", merge_request: "!" } as const;

export function FoundList({ items: found, label }: { items: readonly FoundItem[]; label: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {found.map((item) => (
        <li key={item.id} className={styles.item}>
          <div className={styles.state}>
            <State item={item} />
          </div>
          <What item={item} />
          <Aside item={item} />
        </li>
      ))}
    </ul>
  );
}

function State({ item }: { item: FoundItem }) {
  const { state, state_reason: reason } = item;
  if (item.type === "merge_request" || state === "merged") return <MergeRequestMark mergeRequest={item} />;
  const standing = { state, state_reason: reason };
  return (
    <StateMark
      tone={issueTone(standing)}
      icon={<IssueIcon issue={standing} />}
      label={reason === null ? items.states.open : items.closeReasons[reason]}
    />
  );
}

function What({ item }: { item: FoundItem }) {
  const { repository, number, milestone, type } = item;
  return (
    <div className={styles.what}>
      <div className={styles.head}>
        <Link to={`/${repository.full_name}/${places[type]}/${number}`} className={styles.title}>
          {item.title}
        </Link>
        {item.labels.map((label) => (
          <LabelChip key={label.id} {...label} />
        ))}
      </div>
      <div className={styles.about}>
        <span>
          {repository.full_name}
          {marks[type]}
          {number} {issues.opened} <Time at={item.created_at} /> {issues.by}{" "}
          {nameOfAuthor(item) ?? items.deletedAccount}
        </span>
        {milestone ? (
          <span className={styles.milestone}>
            <Milestone size={14} aria-hidden /> {milestone.title}
          </span>
        ) : null}
      </div>
    </div>
  );
}

function Aside({ item: { assignees, comments_count: comments } }: { item: FoundItem }) {
  const names = issues.assignedTo(assignees.map(({ username }) => username).join(", "));
  return (
    <div className={styles.aside}>
      {assignees.length === 0 ? null : (
        <span className={styles.people} title={names}>
          <span className="visually-hidden">{names}</span>
          {assignees.map(({ id, avatar_url: picture }) => (
            <Avatar key={id} src={picture} size={20} />
          ))}
        </span>
      )}
      {comments === 0 ? null : (
        <span className={styles.people} title={issues.comments(comments)}>
          <MessageSquare size={14} aria-hidden />
          <span className="visually-hidden">{issues.comments(comments)}</span>
          <span aria-hidden>{comments}</span>
        </span>
      )}
    </div>
  );
}
