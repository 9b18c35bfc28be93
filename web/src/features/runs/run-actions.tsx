/** What can be done with a run: cancel it while it is in progress, run it again when it is over. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleStop, RotateCcw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useParams } from "react-router";
import { $api, api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { isOver } from "../../ui/statuses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { Run } from "./run-status.ts";

/** Most runs are not cancelled. */
const ConfirmDialog = lazy(async () => ({
  default: (await fetchPart(() => import("../../ui/confirm-dialog.tsx"))).ConfirmDialog,
}));

/** Whether the viewer may start and end runs here. */
export function useMayRun(): boolean {
  const { permissions } = useRepository();
  return permissions === "write" || permissions === "maintain" || permissions === "admin";
}

export function RunActions({ run }: { run: Run }) {
  const mayRun = useMayRun();
  const { archived } = useRepository();
  const rerun = useRerun();
  if (!mayRun) return null;
  if (!isOver(run.status)) return <Cancel run={run} />;
  if (archived) return null;
  return (
    <Menu
      label={text.rerun}
      trigger={
        <Button icon={<RotateCcw aria-hidden />} busy={rerun.isPending}>
          {text.rerun}
        </Button>
      }
      items={[
        ...(run.status === "success"
          ? []
          : [
              {
                kind: "action",
                label: text.rerunFailed,
                onSelect: () => rerun.mutate({ from: "failed" }),
              } as const,
            ]),
        { kind: "action", label: text.rerunAll, onSelect: () => rerun.mutate({ from: "all" }) },
        ...(run.status === "success"
          ? []
          : [
              {
                kind: "action",
                label: text.rerunFailedDebug,
                onSelect: () => rerun.mutate({ from: "failed", debug: true }),
              } as const,
            ]),
      ]}
    />
  );
}

/** `from`: what to run again: `failed`, `all`, `stage:NAME` or `job:ID`. */
export function useRerun() {
  const path = useRunPath();
  const take = useTakeRun();
  return useMutation({
    mutationFn: (body: { from: string; debug?: boolean }) =>
      api.POST("/repos/{owner}/{repo}/pipelines/{id}/rerun", { params: { path }, body }),
    onSuccess: ({ data }) => take(data),
    onError: showProblem,
  });
}

function Cancel({ run }: { run: Run }) {
  const path = useRunPath();
  const take = useTakeRun();
  const [isOpen, setOpen] = useState(false);
  const isEnding = run.status === "cancelling";
  const cancel = useMutation({
    mutationFn: () =>
      api.POST("/repos/{owner}/{repo}/pipelines/{id}/cancel", {
        params: { path },
        body: isEnding ? { force: true } : {},
      }),
    onSuccess: ({ data }) => {
      setOpen(false);
      return take(data);
    },
  });
  return (
    <>
      <Button kind="danger" icon={<CircleStop aria-hidden />} onClick={() => setOpen(true)}>
        {isEnding ? text.cancelForce : text.cancel}
      </Button>
      <Suspense>
        {isOpen ? (
          <ConfirmDialog
            open
            onClose={() => setOpen(false)}
            title={text.cancelTitle}
            confirm={isEnding ? text.cancelForce : text.cancelConfirm}
            onConfirm={() => cancel.mutate()}
            state={cancel}
          >
            <p>{isEnding ? text.cancelAgainHint : text.cancelHint}</p>
          </ConfirmDialog>
        ) : null}
      </Suspense>
    </>
  );
}

function useRunPath(): { owner: string; repo: string; id: string } {
  const { number = "" } = useParams();
  return { ...useRepositoryPath(), id: number };
}

/** Shows the run as the server answered, and lets lists of runs ask again. */
function useTakeRun(): (run: Run | undefined) => Promise<void> {
  const path = useRunPath();
  const queryClient = useQueryClient();
  return async (run) => {
    const address = "/repos/{owner}/{repo}/pipelines/{id}";
    const { queryKey } = $api.queryOptions("get", address, { params: { path } });
    if (run) queryClient.setQueryData(queryKey, run);
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [, asked] }) => String(asked).startsWith("/repos/{owner}/{repo}/pipelines"),
    });
  };
}
