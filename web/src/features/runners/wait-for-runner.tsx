/** Below the command: whether the machine it was pasted on has come yet. */
import { Loader } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { text } from "../../text/runners.ts";
import { RunnerStatus } from "./runner-status.tsx";
import styles from "./runners.module.css";
import { useRunners, type RunnersOf } from "./use-runners.ts";

export function WaitForRunner({ of }: { of: RunnersOf }) {
  const { data } = useRunners(of, 1);
  const [before, setBefore] = useState<ReadonlySet<string> | null>(null);
  if (data && before === null) setBefore(new Set(data.runners.map(({ id }) => id)));
  const arrived = data?.runners.filter(({ id }) => before && !before.has(id)) ?? [];
  return (
    <div role="status" className={styles.arrivals}>
      {arrived.length === 0 ? (
        <span className={styles.waiting}>
          <Loader size={15} aria-hidden /> {text.waitingForRunner}
        </span>
      ) : null}
      {arrived.map(({ id, name, status }) => (
        <div key={id}>
          <Link to={`/runners/${id}`}>{name}</Link> <RunnerStatus status={status} />{" "}
          {status === "offline" ? text.registeredNotStarted : null}
        </div>
      ))}
    </div>
  );
}
