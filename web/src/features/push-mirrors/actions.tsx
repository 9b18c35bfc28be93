/** What can be done with a push mirror. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/push-mirrors.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

const one = "/repos/{owner}/{repo}/push-mirrors/{id}";

/** `rests`: the repository is archived, and only deleting is left. */
export function PushMirrorActions({ mirror, rests }: { mirror: Schemas["PushMirror"]; rests: boolean }) {
  const { full_name: fullName } = useRepository();
  const repository = useRepositoryPath();
  const navigate = useNavigate();
  const { id, enabled } = mirror;
  const params = { path: { ...repository, id } };
  const sync = useAction(() => api.POST("/repos/{owner}/{repo}/push-mirrors/{id}/sync", { params }), {
    said: text.syncRequested,
  });
  const toggle = useAction(() => api.PATCH(one, { params, body: { enabled: !enabled } }), {
    said: enabled ? text.paused : text.resumed,
  });
  return (
    <>
      {rests ? null : (
        <>
          <Button kind="primary" busy={sync.isPending} onClick={sync.start}>
            {text.syncNow}
          </Button>
          <Button busy={toggle.isPending} onClick={toggle.start}>
            {enabled ? text.pause : text.resume}
          </Button>
        </>
      )}
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle}
        said={text.removed}
        gone={() => [id]}
        onDone={() => navigate(`/${fullName}/settings/push-mirrors`)}
        run={() => api.DELETE(one, { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}
