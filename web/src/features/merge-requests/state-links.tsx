/** Open, merged, closed or all merge requests. */
import { Link, useSearchParams } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { formatCount } from "../../ui/size.ts";
import { withValues } from "../work-items/address-filters.ts";
import { filtersOf } from "./merge-request-filters.ts";
import styles from "./state-links.module.css";

/** `total`: how many of the shown ones there are, once it is known. */
export function StateLinks({ total }: { total: number | undefined }) {
  const [query] = useSearchParams();
  const { state: current } = filtersOf(query);
  return (
    <nav aria-label={text.stateLabel} className={styles.states}>
      {(Object.keys(text.states) as (keyof typeof text.states)[]).map((state) => (
        <Link
          key={state}
          to={`?${withValues(query, { state: state === "open" ? "" : state }).toString()}`}
          aria-current={state === current ? "true" : undefined}
        >
          {text.states[state]}
          {state === current && total !== undefined ? <span>{formatCount(total)}</span> : null}
        </Link>
      ))}
    </nav>
  );
}
