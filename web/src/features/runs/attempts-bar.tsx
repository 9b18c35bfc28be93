/** Which attempt of a job is shown, and which beside it. */
import { useNavigate } from "react-router";
import { text } from "../../text/runs.ts";
import { StatusMark } from "../../ui/status.tsx";
import styles from "./attempts-bar.module.css";
import { formatRunHash } from "./run-hash.ts";
import { addressOf, type Attempt, type Job } from "./run-status.ts";

export function AttemptsBar(props: {
  job: Job;
  chosen: Attempt;
  beside: Attempt | undefined;
  onBeside: (attempt: number | null) => void;
}) {
  const { job, chosen, beside, onBeside } = props;
  const navigate = useNavigate();
  const choose = (attempt: number) =>
    void navigate(
      { hash: formatRunHash({ job: addressOf(job), attempt, step: null, line: null }) },
      { replace: true, preventScrollReset: true },
    );
  return (
    <div className={styles.attempts}>
      <div role="group" aria-label={text.attempts} className={styles.choices}>
        {job.attempts.map(({ id, attempt, status, message }) => (
          <button
            key={id}
            type="button"
            aria-pressed={attempt === chosen.attempt}
            title={message ?? undefined}
            onClick={() => choose(attempt)}
          >
            <StatusMark status={status} bare /> {text.attempt(attempt)}
          </button>
        ))}
      </div>
      <label className={styles.beside}>
        {text.beside}
        <select
          value={beside?.attempt ?? ""}
          onChange={(event) => onBeside(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">{text.besideNone}</option>
          {job.attempts
            .filter(({ attempt }) => attempt !== chosen.attempt)
            .map(({ attempt }) => (
              <option key={attempt} value={attempt}>
                {text.attempt(attempt)}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}
