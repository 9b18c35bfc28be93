/** What becomes of an attempt whose runner is silent, and a way to end it without waiting any longer. */
import { useParams } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/declare-lost.ts";
import { Notice } from "../../ui/notice.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { useMayRun } from "./run-actions.tsx";
import type { Attempt, Job } from "./run-status.ts";

export function SilentRunner({ job, attempt }: { job: Job; attempt: Attempt }) {
  const mayRun = useMayRun();
  return (
    <>
      <Notice tone="warn">{attempt.ends_when_lost ? text.unreachable : text.waitsForRunner}</Notice>
      {mayRun ? (
        <div>
          <LostButton job={job} />
        </div>
      ) : null}
    </>
  );
}

function LostButton({ job }: { job: Job }) {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number, job: job.id };
  return (
    <ConfirmButton
      label={text.declareLost}
      title={text.title(job.name)}
      said={text.done}
      run={() => api.POST("/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}/lost", { params: { path } })}
    >
      <p>{text.hint}</p>
    </ConfirmButton>
  );
}
