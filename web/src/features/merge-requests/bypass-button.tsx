/** Merges although something is missing, for those whom the rules name for it: how, and why. */
import { useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { SelectField, TextArea } from "../../ui/field.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { lastStrategy, type MergeStrategy } from "./strategy-choice.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function BypassButton(props: { mergeRequest: MergeRequest; strategies: readonly MergeStrategy[] }) {
  const path = useMergeRequestPath();
  const { mergeRequest, strategies } = props;
  const [preferred] = useState(lastStrategy);
  const usual = strategies.includes(preferred) ? preferred : strategies[0];
  return (
    <FormButton
      label={text.bypass}
      title={text.bypassTitle}
      lead={text.bypassLead}
      submit={text.bypassSubmit}
      kind="danger"
      said={text.mergeDone}
      run={(values) =>
        api.PUT("/repos/{owner}/{repo}/merge-requests/{number}/merge", {
          params: { path },
          body: {
            strategy: (values["strategy"] ?? "merge") as MergeStrategy,
            sha: mergeRequest.head_sha,
            delete_source_branch: false,
            bypass: true,
            bypass_reason: values["bypass_reason"] ?? "",
          },
        })
      }
    >
      {(problems) => (
        <>
          <SelectField name="strategy" label={text.strategy} defaultValue={usual}>
            {strategies.map((strategy) => (
              <option key={strategy} value={strategy}>
                {text.strategies[strategy]}
              </option>
            ))}
          </SelectField>
          <TextArea
            name="bypass_reason"
            rows={2}
            label={text.bypassReason}
            required
            maxLength={1000}
            problem={problems["bypass_reason"]}
          />
        </>
      )}
    </FormButton>
  );
}
