/** Moves an issue to another repository, for those with Maintain. */
import { ArrowRightLeft } from "lucide-react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/issues.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

const address = "/repos/{owner}/{repo}/issues/{number}/transfer";

export function TransferButton({ issue: { number }, calls }: { issue: Issue; calls: IssueCalls }) {
  const path = { ...useRepositoryPath(), number };
  const navigate = useNavigate();
  return (
    <FormButton
      kind="quiet"
      icon={<ArrowRightLeft aria-hidden />}
      label={text.transfer}
      title={text.transferTitle(number)}
      lead={text.transferHint}
      said={text.transferred}
      run={async ({ repository = "" }) => {
        const body = { repository: repository.trim() };
        return (await api.POST(address, { params: { path }, body })).data;
      }}
      onDone={(moved) => moved && navigate(new URL(moved.web_url).pathname)}
      gone={() => calls.key}
    >
      {(problems) => (
        <TextField
          name="repository"
          label={text.transferTo}
          hint="OWNER/NAME"
          required
          maxLength={201}
          autoComplete="off"
          problem={problems["repository"]}
        />
      )}
    </FormButton>
  );
}
