/** Up to where statistics are computed, and what stands in their place while they are not. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/statistics.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { commitAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./statistics.module.css";
import type { StatisticsState } from "./use-statistics.ts";

interface Head {
  state: StatisticsState;
  commit: string | null;
  computed_at: string | null;
}

/** `children` where there is something to show. */
export function Computed({ head, children }: { head: Head; children: ReactNode }) {
  const { state, commit } = head;
  if (commit === null && state === "failed")
    return (
      <Notice tone="bad" title={text.failedTitle}>
        {text.failed}
      </Notice>
    );
  if (commit === null && state === "ready")
    return <EmptyState title={text.emptyTitle}>{text.empty}</EmptyState>;
  if (commit === null)
    return (
      <div role="status">
        <EmptyState title={text.pendingTitle}>{text.pending}</EmptyState>
      </div>
    );
  return (
    <>
      {state === "failed" ? <Notice tone="warn">{text.failed}</Notice> : null}
      {children}
    </>
  );
}

/** One line: what the page tells, up to which commit, and whether newer ones are on their way. */
export function StatisticsLead({ head, children }: { head: Head | undefined; children: string }) {
  const repository = useRepository();
  return (
    <p className={styles.asOf}>
      {children}{" "}
      {head?.commit ? (
        <>
          {text.asOf}{" "}
          <Link to={commitAddress(repository, head.commit)}>
            <code>{shortName(head.commit)}</code>
          </Link>
          {head.computed_at ? (
            <>
              , {text.computed} <Time at={head.computed_at} />
            </>
          ) : null}
          .{head.state === "updating" ? ` ${text.updating}` : ""}
        </>
      ) : null}
    </p>
  );
}
