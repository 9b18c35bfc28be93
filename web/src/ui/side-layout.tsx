/** Settings and administration: links at the side, the chosen page beside them. */
import type { ReactNode } from "react";
import styles from "./side-layout.module.css";
import { SideLinks, type SideLink } from "./tabs.tsx";

export function SideLayout(props: {
  label: string;
  links: readonly SideLink[];
  /** Above the links. */
  title?: string;
  children: ReactNode;
}) {
  // Somebody who may see only one page needs no links between pages.
  if (props.links.length === 1) return props.children;
  return (
    <div className={styles.layout}>
      <SideLinks label={props.label} links={props.links} title={props.title} />
      <div className={styles.content}>{props.children}</div>
    </div>
  );
}
