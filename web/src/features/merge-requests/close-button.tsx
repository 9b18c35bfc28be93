/** Closes a merge request without merging it, or opens it again. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function CloseButton() {
  const path = useMergeRequestPath();
  const close = useAction(
    () => api.POST("/repos/{owner}/{repo}/merge-requests/{number}/close", { params: { path } }),
    { said: text.closeDone },
  );
  return (
    <Button busy={close.isPending} onClick={close.start}>
      {text.close}
    </Button>
  );
}

export function ReopenButton() {
  const path = useMergeRequestPath();
  const reopen = useAction(
    () => api.POST("/repos/{owner}/{repo}/merge-requests/{number}/reopen", { params: { path } }),
    { said: text.reopenDone },
  );
  return (
    <Button busy={reopen.isPending} onClick={reopen.start}>
      {text.reopen}
    </Button>
  );
}
