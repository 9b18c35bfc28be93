/** What can be done with a milestone. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/milestones.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { MilestoneFields, milestoneOf } from "./milestone-fields.tsx";

const one = "/repos/{owner}/{repo}/milestones/{id}";

export function MilestoneActions({ milestone }: { milestone: Schemas["Milestone"] }) {
  const { id, title, state } = milestone;
  const params = { path: { ...useRepositoryPath(), id } };
  const isOpen = state === "open";
  const toggle = useAction(() => api.PATCH(one, { params, body: { state: isOpen ? "closed" : "open" } }), {
    said: isOpen ? text.closed : text.reopened,
  });
  return (
    <RowActions>
      <FormButton
        label={text.edit}
        name={text.editName(title)}
        title={text.editName(title)}
        submit={text.save}
        said={text.saved}
        run={(values) => api.PATCH(one, { params, body: milestoneOf(values) })}
      >
        {(problems) => <MilestoneFields milestone={milestone} problems={problems} />}
      </FormButton>
      <Button
        busy={toggle.isPending}
        onClick={toggle.start}
        aria-label={isOpen ? text.closeName(title) : text.reopenName(title)}
      >
        {isOpen ? text.close : text.reopen}
      </Button>
      <ConfirmButton
        label={text.remove}
        name={text.removeName(title)}
        title={text.removeTitle(title)}
        said={text.removed}
        run={() => api.DELETE(one, { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </RowActions>
  );
}
