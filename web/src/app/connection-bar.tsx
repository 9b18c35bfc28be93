/** Says that the server cannot be reached, and looks for it until it can; then all that is shown is fetched again. */
import { useEffect } from "react";
import { reportAnswer, useConnection } from "../api/connection.ts";
import { queryClient } from "../api/query-client.ts";
import { text } from "../text/general.ts";
import styles from "./connection-bar.module.css";

const lookEveryMs = 1_500;

export function ConnectionBar() {
  const connection = useConnection();
  useEffect(() => {
    if (connection !== "lost") return;
    const timer = setInterval(() => void lookForServer(), lookEveryMs);
    return () => clearInterval(timer);
  }, [connection]);
  return (
    <div role="status" className={styles.bar}>
      {connection === "lost" ? text.connectionLost : null}
    </div>
  );
}

async function lookForServer(): Promise<void> {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok) return;
  reportAnswer(answer.status);
  await queryClient.invalidateQueries();
}
