/** An issue on a board. Those who may move it drag it, or take it up with the keyboard. */
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { Milestone, Pencil } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { text } from "../../text/boards.ts";
import { text as issues } from "../../text/issues.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { DueOn } from "../work-items/due-date.tsx";
import styles from "./card.module.css";
import type { Issue } from "./use-board.ts";

export interface CardProps {
  issue: Issue;
  column: string;
  /** Ids of the labels that are columns of the board. */
  columnLabels: ReadonlySet<string>;
  isLifted: boolean;
  /** It was put down just now. */
  isLanded: boolean;
  /** Absent: the viewer may not move it. */
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  onLeave: () => void;
  /** Opens what changes it; only for those who may move it. */
  onChange: () => void;
  hintId: string;
}

export function Card(props: CardProps) {
  const { issue, column, columnLabels, isLifted, isLanded, onKeyDown, onLeave, onChange, hintId } = props;
  const element = useRef<HTMLDivElement>(null);
  const mayMove = onKeyDown !== undefined;
  const { number, title } = issue;
  useEffect(() => {
    if (!mayMove || !element.current) return undefined;
    return draggable({ element: element.current, getInitialData: () => ({ number, column }) });
  }, [mayMove, number, column]);
  // It stands elsewhere in the page after each step.
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (isLifted || (isLanded && isLost)) element.current?.focus();
  });
  return (
    <li data-number={number}>
      <div
        ref={element}
        className={`${styles.card} ${isLifted ? styles.lifted : ""}`}
        {...(mayMove
          ? {
              role: "group",
              tabIndex: 0,
              "aria-label": text.card(number, title),
              "aria-describedby": hintId,
              onKeyDown: (event) => {
                const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
                if (event.key !== "e" || !isPlain || event.target !== event.currentTarget)
                  return onKeyDown(event);
                event.preventDefault();
                onChange();
              },
              onBlur: (event) => {
                if (isLifted && event.relatedTarget !== null) onLeave();
              },
            }
          : {})}
      >
        <Content issue={issue} columnLabels={columnLabels} onChange={mayMove ? onChange : undefined} />
      </div>
    </li>
  );
}

interface ContentProps extends Pick<CardProps, "issue" | "columnLabels"> {
  onChange: (() => void) | undefined;
}

function Content({ issue, columnLabels, onChange }: ContentProps) {
  const { full_name: fullName } = useRepository();
  const { number, title, milestone, due_on: dueOn, assignees } = issue;
  const labels = issue.labels.filter(({ id }) => !columnLabels.has(id));
  const names = issues.assignedTo(assignees.map(({ username }) => username).join(", "));
  return (
    <>
      <div className={styles.head}>
        <Link to={`/${fullName}/issues/${number}`} className={styles.title} draggable={false}>
          {title}
        </Link>
        {onChange ? (
          <IconButton label={text.change(number)} onClick={onChange}>
            <Pencil size={14} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      {labels.length === 0 ? null : (
        <div className={styles.labels}>
          {labels.map((label) => (
            <LabelChip key={label.id} {...label} />
          ))}
        </div>
      )}
      <div className={styles.about}>
        <span>#{number}</span>
        {milestone ? (
          <span>
            <Milestone size={13} aria-hidden /> {milestone.title}
          </span>
        ) : null}
        {dueOn === null ? null : (
          <span>
            {text.dueOn} <DueOn day={dueOn} isOpen={issue.state === "open"} />
          </span>
        )}
        {assignees.length === 0 ? null : (
          <span className={styles.people} title={names}>
            <span className="visually-hidden">{names}</span>
            {assignees.map(({ id, avatar_url: picture }) => (
              <Avatar key={id} src={picture} size={20} />
            ))}
          </span>
        )}
      </div>
    </>
  );
}
