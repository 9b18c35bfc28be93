/** What a job gave to those that need it. Of a run's answer they are no part where they are long; they are asked for then. */
import { useState } from "react";
import { $api } from "../../api/client.ts";
import { text } from "../../text/runs.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./job-outputs.module.css";
import type { Job, Run } from "./run-status.ts";

/** The values of its combination, and its outputs. */
export function JobOutputs({ run, job }: { run: Run; job: Job }) {
  return (
    <>
      {job.matrix ? <Outputs label={text.matrix} outputs={job.matrix} /> : null}
      {job.outputs_omitted ? (
        <LongOutputs key={job.id} run={run} job={job} />
      ) : (
        <Outputs outputs={job.outputs} />
      )}
    </>
  );
}

/** `label`: what they are, where they are no outputs. */
function Outputs({ outputs, label = text.outputs }: { outputs: Job["outputs"]; label?: string }) {
  const entries = Object.entries(outputs);
  if (entries.length === 0) return null;
  return (
    <dl className={styles.outputs} aria-label={label}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function LongOutputs({ run, job }: { run: Run; job: Job }) {
  const [isAsked, setAsked] = useState(false);
  const path = { ...useRepositoryPath(), id: run.id, job: job.id };
  const whole = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}",
    { params: { path } },
    { enabled: isAsked },
  );
  if (!isAsked)
    return (
      <Button kind="quiet" onClick={() => setAsked(true)}>
        {text.showOutputs}
      </Button>
    );
  return (
    <QueryView query={whole} lines={2}>
      {(found) => (
        <div className={styles.scrolling} role="group" aria-label={text.outputs} tabIndex={0}>
          <Outputs outputs={found.outputs} />
        </div>
      )}
    </QueryView>
  );
}
