/** What somebody with Maintain can do for a shell in a job: open one, and have the container kept when the job fails. */
import { SquareTerminal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/shells.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { isOver } from "../../ui/statuses.ts";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

type Job = Schemas["RunJob"];

/** The terminal is large, and few are opened. */
const ShellDialog = lazy(async () => ({
  default: (await fetchPart(() => import("./shell-dialog.tsx"))).ShellDialog,
}));

/** `rerun`: what runs the job again; none while the run is open. */
export function ShellActions({ job, rerun }: { job: Job; rerun: (() => void) | null }) {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number };
  const [isOpen, setOpen] = useState(false);
  const newest = job.attempts.at(-1);
  return (
    <>
      {job.status === "running" && newest?.runner && !newest.unreachable ? (
        <Button kind="quiet" icon={<SquareTerminal aria-hidden />} onClick={() => setOpen(true)}>
          {text.open}
        </Button>
      ) : null}
      <KeepButton job={job} path={path} rerun={rerun} />
      <Suspense>
        {isOpen ? (
          <ShellDialog path={{ ...path, job: job.id }} job={job.name} onClose={() => setOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}

interface KeepProps {
  job: Job;
  path: { owner: string; repo: string; id: string };
  rerun: (() => void) | null;
}

function KeepButton({ job, path, rerun }: KeepProps) {
  const address = "/repos/{owner}/{repo}/pipelines/{id}/keep-open" as const;
  const end = () => api.DELETE(address, { params: { path, query: { job: job.id } } });
  const keep = useChange(() => api.PUT(address, { params: { path }, body: { jobs: [job.id] } }), {
    said: text.kept,
    onDone: () => rerun?.(),
  });
  const release = useChange(end, { said: text.released });
  if (job.kept_until !== null)
    return (
      <ConfirmButton label={text.endNow} title={text.endTitle(job.name)} said={text.released} run={end}>
        <p>{text.endHint}</p>
      </ConfirmButton>
    );
  if (isOver(job.status) && rerun === null) return null;
  if (job.keep_open && rerun === null)
    return (
      <Button
        kind="quiet"
        busy={release.isPending}
        onClick={() => release.mutate(undefined, { onError: showProblem })}
      >
        {text.end}
      </Button>
    );
  return (
    <Button
      kind="quiet"
      busy={keep.isPending}
      onClick={() => keep.mutate(undefined, { onError: showProblem })}
    >
      {rerun === null ? text.keep : text.rerunKept}
    </Button>
  );
}
