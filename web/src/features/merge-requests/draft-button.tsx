/** Says that a draft is ready, or makes a draft of what is not. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function DraftButton({ draft }: { draft: boolean }) {
  const path = useMergeRequestPath();
  const change = useAction(
    () =>
      api.PATCH("/repos/{owner}/{repo}/merge-requests/{number}", {
        params: { path },
        body: { draft: !draft },
      }),
    { said: draft ? text.ready : text.drafted },
  );
  return (
    <Button kind={draft ? "primary" : "normal"} busy={change.isPending} onClick={change.start}>
      {draft ? text.markReady : text.markDraft}
    </Button>
  );
}
