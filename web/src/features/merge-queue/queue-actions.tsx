/** What people change in a merge queue. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-queue.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

const one = "/repos/{owner}/{repo}/merge-queue/{number}";

export function RemoveButton({ number }: { number: number }) {
  const path = { ...useRepositoryPath(), number };
  const remove = useAction(() => api.DELETE(one, { params: { path } }), { said: text.removeDone });
  return (
    <Button busy={remove.isPending} onClick={remove.start}>
      {text.remove}
    </Button>
  );
}

export function FirstButton({ number }: { number: number }) {
  const path = { ...useRepositoryPath(), number };
  const move = useAction(() => api.PATCH(one, { params: { path }, body: { position: "first" } }), {
    said: text.firstDone,
  });
  return (
    <Button busy={move.isPending} onClick={move.start}>
      {text.first}
    </Button>
  );
}

export function PauseButton({ branch, isPaused }: { branch: string; isPaused: boolean }) {
  const path = useRepositoryPath();
  const change = useAction(
    () =>
      api.PATCH("/repos/{owner}/{repo}/merge-queue", {
        params: { path },
        body: { branch, paused: !isPaused },
      }),
    { said: isPaused ? text.resumeDone : text.pauseDone },
  );
  return (
    <Button busy={change.isPending} onClick={change.start}>
      {isPaused ? text.resume : text.pause}
    </Button>
  );
}
