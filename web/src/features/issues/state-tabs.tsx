/** Open and closed issues beside each other, with how many there are of each. */
import { useSearchParams, Link } from "react-router";
import { text } from "../../text/issues.ts";
import { formatCount } from "../../ui/size.ts";
import { withValues } from "../work-items/address-filters.ts";
import type { IssueFilters } from "./issue-filters.ts";
import styles from "./state-tabs.module.css";

export interface StateTabsProps {
  filters: IssueFilters;
  /** Of the state that is shown; undefined until it is known. */
  total: number | undefined;
  otherCount: number | undefined;
}

export function StateTabs({ filters: { state }, total, otherCount }: StateTabsProps) {
  const [query] = useSearchParams();
  return (
    <nav aria-label={text.states} className={styles.tabs}>
      {(["open", "closed"] as const).map((each) => {
        const count = each === state ? total : otherCount;
        return (
          <Link
            key={each}
            to={`?${withValues(query, { state: each === "open" ? "" : each }).toString()}`}
            aria-current={each === state ? "page" : undefined}
            className={styles.tab}
          >
            {text[each]} {count === undefined ? null : <span>{formatCount(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
