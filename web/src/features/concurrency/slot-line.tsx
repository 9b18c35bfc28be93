/** One slot of a concurrency group: whose it is, and since when. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/concurrency.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./slot-line.module.css";

export function SlotLine({ slot }: { slot: Schemas["ConcurrencySlot"] }) {
  const { pipeline, repository, job, stage, state, since, superseded } = slot;
  return (
    <span className={styles.line}>
      {pipeline ? (
        <Link to={`/${repository}/pipelines/${pipeline.number}`}>
          {text.run(pipeline.number)} {job?.name ?? stage ?? text.wholeRun}
        </Link>
      ) : (
        text.otherRepository
      )}{" "}
      {superseded === null ? text.states[state] : text.cancelled} <Time at={since} />
    </span>
  );
}
