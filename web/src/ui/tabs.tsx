/** Links between the pages of one thing, as a row of tabs. */
import { useEffect, useRef, type RefObject } from "react";
import { Link, NavLink, useLocation } from "react-router";
import styles from "./tabs.module.css";

export interface TabLink {
  to: string;
  label: string;
  /** Only this very address, not what is below it. */
  exact?: boolean;
  /** Addresses whose pages belong to it too, with what is below them. */
  also?: readonly string[];
  count?: number | undefined;
}

export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  const row = useCurrentInSight();
  const { pathname } = useLocation();
  return (
    <nav aria-label={label} className={styles.tabs} ref={row}>
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <Link
              to={link.to}
              aria-current={isCurrent(link, pathname) ? "page" : undefined}
              className={styles.tab}
            >
              <Label>{link.label}</Label>
              {link.count === undefined ? null : <span className={styles.count}>{link.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export interface SideLink extends TabLink {
  /** Begins a group of this name. */
  group?: string;
}

/** Links between pages of settings: beside them, above them on a phone. `title`: what they are of, where no heading says it. */
export function SideLinks(props: { label: string; links: readonly SideLink[]; title?: string | undefined }) {
  const row = useCurrentInSight();
  return (
    <nav ref={row} aria-label={props.label} className={styles.side}>
      {props.title === undefined ? null : <p className={styles.title}>{props.title}</p>}
      <ul>
        {props.links.map((link) => (
          <li key={link.to}>
            {link.group === undefined ? null : <span className={styles.group}>{link.group}</span>}
            <NavLink to={link.to} end={link.exact ?? false} className={styles.sideLink ?? ""}>
              <Label>{link.label}</Label>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Takes the room of its bold form always, so that nothing moves when another link becomes the current one. */
function Label({ children }: { children: string }) {
  return (
    <span className={styles.label} data-label={children}>
      {children}
    </span>
  );
}

/** On a phone the row scrolls; which page one is on is seen without that. */
function useCurrentInSight(): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !current) return;
    const { left, right } = row.current.getBoundingClientRect();
    const place = current.getBoundingClientRect();
    if (place.left < left || place.right > right)
      row.current.scrollLeft += (place.left + place.right - left - right) / 2;
  }, [pathname]);
  return row;
}

/** Names in addresses may be written in other cases. */
function isCurrent({ to, exact = false, also = [] }: TabLink, pathname: string): boolean {
  const here = `${pathname.toLowerCase().replace(/\/+$/, "")}/`;
  const isBelow = (address: string) => here.startsWith(`${address.toLowerCase()}/`);
  return (exact ? here === `${to.toLowerCase()}/` : isBelow(to)) || also.some(isBelow);
}
