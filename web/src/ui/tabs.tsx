/** Links between the pages of one thing, as a row of tabs. */
import { NavLink } from "react-router";
import styles from "./tabs.module.css";

export interface TabLink {
  to: string;
  label: string;
  /** Only this very address, not what lies below it. */
  exact?: boolean;
  count?: number | undefined;
}

export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <NavLink to={link.to} end={link.exact ?? false} className={styles.tab ?? ""}>
              {link.label}
              {link.count === undefined ? null : <span className={styles.count}>{link.count}</span>}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links between pages of settings: beside them, above them on a phone. */
export function SideLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className={styles.side}>
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <NavLink to={link.to} end={link.exact ?? false} className={styles.sideLink ?? ""}>
              {link.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
