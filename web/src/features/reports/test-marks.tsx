/** How a test ended, and what is known of it beside that. */
import { text } from "../../text/tests.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./run-reports.module.css";

const tones = { passed: "good", failed: "bad", skipped: "plain" } as const;

export function ResultBadge({ status }: { status: keyof typeof tones }) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>;
}

export function TestMarks({ flaky, quarantined }: { flaky: boolean; quarantined: boolean }) {
  return (
    <>
      {flaky ? <Badge tone="warn">{text.flaky}</Badge> : null}{" "}
      {quarantined ? <Badge tone="plain">{text.quarantined}</Badge> : null}
    </>
  );
}

/** What a test said when it failed: its message, and the rest on request. */
export function Failure({ message, details }: { message: string | null; details: string | null }) {
  return (
    <>
      {message === null ? null : <div className={styles.message}>{message}</div>}
      {details === null ? null : (
        <details>
          <summary>{text.details}</summary>
          <pre className={styles.details} tabIndex={0}>
            {details}
          </pre>
        </details>
      )}
    </>
  );
}

/** Short ones exactly. */
export function formatTestTime(ms: number | null): string {
  if (ms === null) return "";
  if (ms < 1_000) return `${ms} ms`;
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export function nameOfTest({ suite, name }: { suite: string; name: string }): string {
  return suite === "" ? name : `${suite} › ${name}`;
}
