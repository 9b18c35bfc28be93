/** Makes an issue of a discussion. */
import { CircleDot } from "lucide-react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/discussions.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { one, useBoard, type Discussion } from "./board.ts";

export function IssueButton({ discussion: { number, viewer_may: may } }: { discussion: Discussion }) {
  const path = { ...useBoard(), number };
  const navigate = useNavigate();
  return (
    <FormButton
      kind="quiet"
      icon={<CircleDot aria-hidden />}
      label={text.makeIssue}
      title={text.makeIssueTitle}
      lead={text.makeIssueHint}
      said={text.issueMade}
      run={async ({ repository = "", lock }) => {
        const body = { repository: repository.trim(), lock: lock !== undefined };
        return (await api.POST(`${one}/issue`, { params: { path }, body })).data;
      }}
      onDone={(made) => made && navigate(new URL(made.web_url).pathname)}
    >
      {(problems) => (
        <>
          <TextField
            name="repository"
            label={text.repository}
            hint="OWNER/NAME"
            required
            maxLength={201}
            autoComplete="off"
            problem={problems["repository"]}
          />
          {may.moderate ? <CheckField name="lock" label={text.lockToo} /> : null}
        </>
      )}
    </FormButton>
  );
}
