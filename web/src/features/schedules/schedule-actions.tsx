/** What can be done with a schedule. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/schedules.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

const one = "/repos/{owner}/{repo}/schedules/{id}";

/** `rests`: the repository is archived, and only deleting is left. */
export function ScheduleActions({ schedule, rests }: { schedule: Schemas["Schedule"]; rests: boolean }) {
  const { full_name: fullName } = useRepository();
  const repository = useRepositoryPath();
  const navigate = useNavigate();
  const { id, enabled, source } = schedule;
  const params = { path: { ...repository, id } };
  const run = useAction(() => api.POST("/repos/{owner}/{repo}/schedules/{id}/run", { params }), {
    onDone: ({ data }) => navigate(`/${fullName}/pipelines/${data?.number}`),
  });
  const toggle = useAction(() => api.PATCH(one, { params, body: { enabled: !enabled } }), {
    said: enabled ? text.turnedOff : text.turnedOn,
  });
  return (
    <>
      {rests ? null : (
        <>
          <Button kind="primary" busy={run.isPending} onClick={run.start}>
            {text.runNow}
          </Button>
          <Button busy={toggle.isPending} onClick={toggle.start}>
            {enabled ? text.turnOff : text.turnOn}
          </Button>
        </>
      )}
      {source === "file" ? null : (
        <ConfirmButton
          label={text.remove}
          title={text.removeTitle}
          said={text.removed}
          gone={() => [id]}
          onDone={() => navigate(`/${fullName}/settings/schedules`)}
          run={() => api.DELETE(one, { params })}
        >
          <p>{text.removeHint}</p>
        </ConfirmButton>
      )}
    </>
  );
}
