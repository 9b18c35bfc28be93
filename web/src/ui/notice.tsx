/** A message on a page: something to know, or something that went wrong. */
import type { ReactNode } from "react";
import { problemOf } from "../api/problem.ts";
import { text } from "../text/general.ts";
import styles from "./notice.module.css";

export type Tone = "info" | "good" | "warn" | "bad";

export function Notice({
  tone = "info",
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === "bad" ? "alert" : "status"}>
      {title ? <strong>{title}</strong> : null}
      {children ? <div>{children}</div> : null}
    </div>
  );
}

/** A failure in the server's words, with the request's id for whoever investigates it. */
export function ProblemNotice({ error, title }: { error: unknown; title?: string }) {
  const { message, requestId } = problemOf(error);
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      {message}
      {requestId ? <div className={styles.request}>{text.request(requestId)}</div> : null}
    </Notice>
  );
}
