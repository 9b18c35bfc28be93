/** A description or a comment: who wrote it and when, what can be done with it, and the text or whatever edits it. */
import type { ReactNode } from "react";
import { text } from "../../text/work-items.ts";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import { Actor, type ImportedAuthor } from "./actor.tsx";
import styles from "./text-card.module.css";
import type { Person } from "./work-item.ts";

export interface TextCardProps {
  id?: string;
  author: Person | null;
  imported?: ImportedAuthor;
  verb: ReactNode;
  at: string;
  editedAt: string | null;
  /** Of the item itself, where that is worth saying. */
  isItemAuthor?: boolean;
  /** A link led here. */
  isTarget?: boolean;
  /** Without a frame of its own. */
  isFlat?: boolean;
  marks?: ReactNode;
  actions?: ReactNode;
  /** Below the text, such as reactions to it. */
  foot?: ReactNode;
  children: ReactNode;
}

export function TextCard(props: TextCardProps) {
  const { id, author, verb, at, editedAt, isItemAuthor = false, isTarget = false, isFlat = false } = props;
  return (
    <article id={id} className={`${isFlat ? styles.flat : styles.card} ${isTarget ? styles.target : ""}`}>
      <header className={styles.head}>
        <div className={styles.who}>
          <Actor person={author} imported={props.imported} /> <span>{verb}</span>{" "}
          {id === undefined ? (
            <Time at={at} />
          ) : (
            <a href={`#${id}`} className={styles.time}>
              <Time at={at} />
            </a>
          )}
          {editedAt === null ? null : (
            <span>
              {" "}
              · {text.edited} <Time at={editedAt} />
            </span>
          )}
        </div>
        {isItemAuthor ? <Badge tone="plain">{text.author}</Badge> : null}
        {props.marks}
        {props.actions}
      </header>
      {props.children ? (
        <div className={styles.body}>
          {props.children}
          {props.foot}
        </div>
      ) : null}
    </article>
  );
}
