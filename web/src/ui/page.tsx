/** A page below the frame: its title (also of the browser's tab), what can be done with it, and its content. */
import { useEffect, type ReactNode } from "react";
import { text } from "../text/general.ts";
import styles from "./page.module.css";

export interface PageProps {
  title: string;
  /** Where `title` alone does not say it, for example `ada/compiler`; for the browser's tab only. */
  within?: string;
  /** Instead of the title as heading. */
  heading?: ReactNode;
  actions?: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
}

export function Page({ title, within, heading, actions, lead, children }: PageProps) {
  useTitle(within === undefined ? title : `${title} · ${within}`);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{heading ?? title}</h1>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {lead ? <div className={styles.lead}>{lead}</div> : null}
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${text.product}`;
  }, [title]);
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  lead,
  actions,
  children,
  id,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section className={styles.section} id={id}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {lead ? <div className={styles.lead}>{lead}</div> : null}
      {children}
    </section>
  );
}
