/** Every change of a status in a run, for who opens it: asked for no earlier. */
import { lazy, Suspense, useState } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./run-history.module.css";
import type { Run } from "./run-status.ts";

const RunChanges = lazy(async () => ({
  default: (await fetchPart(() => import("./run-changes.tsx"))).RunChanges,
}));

export function RunHistory({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{text.history}</h2>
      </summary>
      {isOpen ? (
        <Suspense fallback={<Skeleton />}>
          <RunChanges run={run} />
        </Suspense>
      ) : null}
    </details>
  );
}
