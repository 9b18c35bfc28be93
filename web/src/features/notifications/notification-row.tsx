/** One entry of the inbox: what it is about, what happened, why the viewer was told, and what can be done with it. */
import {
  Bookmark,
  Check,
  GitMerge,
  GitPullRequestArrow,
  GitPullRequestClosed,
  Mail,
  MailOpen,
  Undo2,
} from "lucide-react";
import { Link } from "react-router";
import { text } from "../../text/notifications.ts";
import { IconButton } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { IssueIcon } from "../work-items/state-badge.tsx";
import styles from "./notifications.module.css";
import { rowMark } from "./use-inbox-keys.ts";
import type { Notification } from "./use-notifications.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

export interface NotificationRowProps {
  notification: Notification;
  isSelected: boolean;
  onSelect: () => void;
  onChange: (body: Schemas["NotificationUpdate"]) => void;
}

export function NotificationRow({ notification, isSelected, onSelect, onChange }: NotificationRowProps) {
  const { subject, repository, unread } = notification;
  const place = subject.type === "issue" ? "issues" : "merge-requests";
  return (
    <li className={`${styles.row} ${unread ? styles.unread : ""}`}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={text.select(subject.title)}
        checked={isSelected}
        onChange={onSelect}
      />
      <span className={styles.mark}>
        <SubjectIcon subject={subject} />
      </span>
      <div className={styles.what}>
        <Link
          to={`/${repository.full_name}/${place}/${subject.number}`}
          className={styles.title}
          {...rowMark(notification.id)}
        >
          {unread ? <span className="visually-hidden">{text.unread}: </span> : null}
          {subject.title}
        </Link>
        <About notification={notification} />
      </div>
      <Actions notification={notification} onChange={onChange} />
    </li>
  );
}

function About({ notification }: { notification: Notification }) {
  const { subject, repository, reason, actor, done, updated_at: at, new_events: count } = notification;
  return (
    <div className={styles.about}>
      <span>
        {subject.type === "issue" ? "#" : "!"}
        {subject.number}
      </span>
      <span>{text.reasons[reason]}</span>
      <span>
        {text.happened(actor?.username ?? text.somebody, notification)} <Time at={at} />
      </span>
      {reason === "approval_requested" && !done ? (
        <Link to={`/${repository.full_name}/pipelines?status=awaiting_approval`}>{text.waitingRuns}</Link>
      ) : null}
      {count > 1 ? <span>{text.newEvents(count)}</span> : null}
    </div>
  );
}

function SubjectIcon({ subject: { type, state } }: { subject: Notification["subject"] }) {
  if (type === "issue" && state !== "merged") return <IssueIcon issue={{ state, state_reason: null }} />;
  const Icon = { open: GitPullRequestArrow, merged: GitMerge, closed: GitPullRequestClosed }[state];
  return <Icon size={16} aria-hidden />;
}

function Actions({ notification, onChange }: Pick<NotificationRowProps, "notification" | "onChange">) {
  const { saved, done, unread, subject } = notification;
  const { title } = subject;
  return (
    <div className={styles.actions}>
      <IconButton
        label={unread ? text.markReadOf(title) : text.markUnreadOf(title)}
        onClick={() => onChange({ unread: !unread })}
      >
        {unread ? <MailOpen aria-hidden /> : <Mail aria-hidden />}
      </IconButton>
      <IconButton
        label={saved ? text.unsaveOf(title) : text.saveOf(title)}
        aria-pressed={saved}
        onClick={() => onChange({ saved: !saved })}
      >
        <Bookmark aria-hidden fill={saved ? "currentColor" : "none"} />
      </IconButton>
      <IconButton
        label={done ? text.undoneOf(title) : text.doneOf(title)}
        onClick={() => onChange({ done: !done })}
      >
        {done ? <Undo2 aria-hidden /> : <Check aria-hidden />}
      </IconButton>
    </div>
  );
}
