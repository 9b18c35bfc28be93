/** What can be done with a runner. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/runners.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast, showProblem } from "../../ui/toasts.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { DrainDialog } from "./drain-dialog.tsx";
import { runnersKey } from "./use-runners.ts";

type Runner = Schemas["Runner"];

export function RunnerActions({ runner }: { runner: Runner }) {
  const [open, setOpen] = useState<"change" | "drain" | "remove" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <StateButtons runner={runner} onDrain={() => setOpen("drain")} />
      <Button onClick={() => setOpen("change")}>{text.change}</Button>
      <Button kind="danger" onClick={() => setOpen("remove")}>
        {text.remove}
      </Button>
      {open === "drain" ? <DrainDialog runner={runner} onClose={close} /> : null}
      {open === "change" ? <ChangeDialog runner={runner} onClose={close} /> : null}
      {open === "remove" ? <RemoveDialog runner={runner} onClose={close} /> : null}
    </>
  );
}

type RunnerAction = "pause" | "resume";
const told = { pause: text.paused, resume: text.resumed };

/** Whether it gets jobs. */
function StateButtons({ runner, onDrain }: { runner: Runner; onDrain: () => void }) {
  const { id, name, paused, draining } = runner;
  const client = useQueryClient();
  const turn = useMutation({
    mutationFn: (to: RunnerAction) => runRunnerAction(id, to),
    onSuccess: async (_, to) => {
      await client.invalidateQueries({ queryKey: [runnersKey] });
      showToast(told[to](name));
    },
    onError: showProblem,
  });
  const button = (to: RunnerAction) => (
    <Button onClick={() => turn.mutate(to)} busy={turn.isPending && turn.variables === to}>
      {text[to]}
    </Button>
  );
  if (paused || draining) return button("resume");
  return (
    <>
      {button("pause")}
      <Button onClick={onDrain}>{text.drain}</Button>
    </>
  );
}

async function runRunnerAction(id: string, to: RunnerAction): Promise<void> {
  const params = { path: { id } };
  if (to === "pause") await api.PATCH("/runners/{id}", { params, body: { paused: true } });
  else await api.POST("/runners/{id}/resume", { params });
}

function RemoveDialog({ runner, onClose }: { runner: Runner; onClose: () => void }) {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.DELETE("/runners/{id}", { params: { path: { id: runner.id } } }),
    onSuccess: async () => {
      showToast(text.removed(runner.name));
      await navigate(user.admin ? "/runners" : `/${runner.repository ?? ""}/settings/runners`);
      client.removeQueries({ queryKey: [runnersKey, "one", runner.id] });
      await client.invalidateQueries({ queryKey: [runnersKey] });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.removeTitle(runner.name)}
      confirm={text.remove}
      state={remove}
      onConfirm={() => remove.mutate()}
    >
      <p>{text.removeHint}</p>
    </ConfirmDialog>
  );
}
