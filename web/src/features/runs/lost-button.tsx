/** Ends an attempt whose runner is silent, without waiting any longer. */
import { useParams } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/declare-lost.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { Job } from "./run-status.ts";

export function LostButton({ job }: { job: Job }) {
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
