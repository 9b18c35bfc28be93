/** Settings and administration: links at the side, the chosen page beside them. */
import type { ReactNode } from "react";
import styles from "./side-layout.module.css";
import { SideLinks, type TabLink } from "./tabs.tsx";

export function SideLayout(props: { label: string; links: readonly TabLink[]; children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <SideLinks label={props.label} links={props.links} />
      <div className={styles.content}>{props.children}</div>
    </div>
  );
}
