/** The title of an issue, how it stands, and who opened it. */
import { Lock, Pencil, Pin } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Actor } from "../work-items/actor.tsx";
import { IssueIcon, issueTone, StateBadge } from "../work-items/state-badge.tsx";
import styles from "./issue-head.module.css";
import type { IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";
import wide from "./wide-field.module.css";

export function IssueHeading({ issue: { title, number } }: { issue: Issue }) {
  return (
    <>
      {title} <span className={styles.number}>#{number}</span>
    </>
  );
}

export function EditTitleButton({ onEdit }: { onEdit: () => void }) {
  return (
    <Button icon={<Pencil aria-hidden />} onClick={onEdit}>
      {text.editTitle}
    </Button>
  );
}

export function TitleForm(props: { title: string; calls: IssueCalls; onClose: () => void }) {
  const [title, setTitle] = useState(props.title);
  const change = useChange(() => props.calls.change({ title }), {
    said: text.titleSaved,
    onDone: props.onClose,
  });
  return (
    <Form
      submit={text.saveTitle}
      state={change}
      onSubmit={() => change.mutate(undefined)}
      onCancel={props.onClose}
    >
      <div className={wide.wide}>
        <TextField
          label={text.titleField}
          required
          maxLength={255}
          autoComplete="off"
          autoFocus
          value={title}
          problem={fieldProblems(change.error)["title"]}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
    </Form>
  );
}

export function IssueStanding({ issue }: { issue: Issue }) {
  const { state, state_reason: reason } = issue;
  return (
    <div className={styles.standing}>
      <StateBadge tone={issueTone(issue)} icon={<IssueIcon issue={issue} />}>
        {reason === null || reason === "completed"
          ? items.states[state]
          : `${items.states[state]}: ${lower(items.closeReasons[reason])}`}
      </StateBadge>
      {issue.duplicate_of ? <Duplicate of={issue.duplicate_of} /> : null}
      <span>
        <Actor person={issue.author} imported={issue.imported_author} /> {text.openedBy}{" "}
        <Time at={issue.created_at} />
      </span>
      <span>{text.comments(issue.comments_count)}</span>
      {issue.locked ? (
        <Badge tone="plain">
          <Lock size={11} aria-hidden /> {text.lockedMark}
        </Badge>
      ) : null}
      {issue.pinned ? (
        <Badge tone="plain">
          <Pin size={11} aria-hidden /> {text.pinnedMark}
        </Badge>
      ) : null}
    </div>
  );
}

function Duplicate({ of }: { of: NonNullable<Issue["duplicate_of"]> }) {
  const { full_name: here } = useRepository();
  const place = of.repository === here ? "" : of.repository;
  return (
    <span>
      {text.duplicateMark}{" "}
      <Link to={new URL(of.web_url).pathname} title={of.title} data-inline>
        {place}#{of.number}
      </Link>
    </span>
  );
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
