/** What stands where there is nothing yet, and what to do about it. */
import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

export function EmptyState({
  title,
  children,
  action,
  whole = false,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is the whole page: its title is the page's. */
  whole?: boolean;
}) {
  const Heading = whole ? "h1" : "h2";
  return (
    <div className={styles.empty}>
      <Heading>{title}</Heading>
      {children ? <div className={styles.text}>{children}</div> : null}
      {action}
    </div>
  );
}
