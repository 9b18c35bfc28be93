/** Issues as rows: how each stands, what it is about, and who works on it. */
import { MessageSquare, Milestone } from "lucide-react";
import { Link } from "react-router";
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Time } from "../../ui/time.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { DueOn } from "../work-items/due-date.tsx";
import { IssueIcon, issueTone, StateMark } from "../work-items/state-badge.tsx";
import styles from "./issue-list.module.css";
import type { Issue } from "./use-issues.ts";
import { nameOfAuthor } from "../work-items/actor.tsx";

export interface IssueListProps {
  issues: readonly Issue[];
  /** Numbers; without them nothing can be selected. */
  selected?: readonly number[];
  onSelect?: (numbers: readonly number[]) => void;
}

export function IssueList({ issues, selected = [], onSelect }: IssueListProps) {
  const toggle = (number: number) =>
    onSelect?.(
      selected.includes(number) ? selected.filter((each) => each !== number) : [...selected, number],
    );
  return (
    <ul className={styles.list} aria-label={text.list}>
      {issues.map((issue) => (
        <li key={issue.id} className={styles.issue}>
          {onSelect ? (
            <input
              type="checkbox"
              className={styles.box}
              aria-label={text.select(issue.title)}
              checked={selected.includes(issue.number)}
              onChange={() => toggle(issue.number)}
            />
          ) : null}
          <div className={styles.state}>
            <StateMark
              tone={issueTone(issue)}
              icon={<IssueIcon issue={issue} />}
              label={issue.state_reason === null ? items.states.open : items.closeReasons[issue.state_reason]}
            />
          </div>
          <What issue={issue} />
          <Aside issue={issue} />
        </li>
      ))}
    </ul>
  );
}

function What({ issue }: { issue: Issue }) {
  const { full_name: fullName } = useRepository();
  const { number, milestone } = issue;
  return (
    <div className={styles.what}>
      <div className={styles.head}>
        <Link to={`/${fullName}/issues/${number}`} className={styles.title}>
          {issue.title}
        </Link>
        {issue.labels.map(({ id, name, color, description }) => (
          <LabelChip key={id} name={name} color={color} description={description} />
        ))}
      </div>
      <div className={styles.about}>
        <span>
          #{number} {text.opened} <Time at={issue.created_at} /> {text.by}{" "}
          {nameOfAuthor(issue) ?? items.deletedAccount}
        </span>
        {milestone ? (
          <span className={styles.milestone}>
            <Milestone size={14} aria-hidden />
            {milestone.title}
          </span>
        ) : null}
        {issue.due_on === null ? null : (
          <span>
            {items.dueOn}: <DueOn day={issue.due_on} isOpen={issue.state === "open"} />
          </span>
        )}
      </div>
    </div>
  );
}

function Aside({ issue: { assignees, comments_count: comments } }: { issue: Issue }) {
  const names = assignees.map(({ username }) => username).join(", ");
  return (
    <div className={styles.aside}>
      {assignees.length === 0 ? null : (
        <span className={styles.people} title={text.assignedTo(names)}>
          <span className="visually-hidden">{text.assignedTo(names)}</span>
          {assignees.map(({ id, avatar_url: picture }) => (
            <Avatar key={id} src={picture} size={20} />
          ))}
        </span>
      )}
      {comments === 0 ? null : (
        <span className={styles.comments} title={text.comments(comments)}>
          <MessageSquare size={14} aria-hidden />
          <span className="visually-hidden">{text.comments(comments)}</span>
          <span aria-hidden>{comments}</span>
        </span>
      )}
    </div>
  );
}
