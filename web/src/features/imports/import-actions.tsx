/** What can be done with an import: stop it, or go on with it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/imports.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";

export function ImportActions({ shown }: { shown: Schemas["Import"] }) {
  const path = { id: shown.id };
  if (shown.finished_at === null)
    return (
      <ConfirmButton
        label={text.cancel}
        title={text.cancelTitle}
        said={text.cancelled}
        run={() => api.POST("/imports/{id}/cancel", { params: { path } })}
      >
        <p>{text.cancelHint}</p>
      </ConfirmButton>
    );
  if (shown.state === "done") return null;
  if (shown.from_archive)
    return (
      <ConfirmButton
        label={text.retry}
        title={text.retry}
        said={text.retried}
        run={() => api.POST("/imports/{id}/retry", { params: { path }, body: {} })}
      >
        <p>{text.retryLead}</p>
      </ConfirmButton>
    );
  return (
    <FormButton
      label={text.retry}
      title={text.retry}
      lead={text.retryLead}
      said={text.retried}
      run={({ token = "" }) =>
        api.POST("/imports/{id}/retry", { params: { path }, body: token === "" ? {} : { token } })
      }
    >
      {(problems) => (
        <TextField
          name="token"
          type="password"
          label={text.token}
          hint={text.tokenHint}
          autoComplete="off"
          problem={problems["token"]}
        />
      )}
    </FormButton>
  );
}
