/** Merging by itself as soon as nothing stands in the way: asked for, shown, and taken back. */
import { GitMerge } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { CheckField, SelectField } from "../../ui/field.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Line } from "./merge-box-line.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { isForeign } from "./source-name.ts";
import { keepStrategy, lastStrategy, type MergeStrategy } from "./strategy-choice.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

const address = "/repos/{owner}/{repo}/merge-requests/{number}/auto-merge";

export function AutoMergeLine({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { auto_merge: wanted, viewer_may: may } = mergeRequest;
  const path = useMergeRequestPath();
  const cancel = useAction(() => api.DELETE(address, { params: { path } }), { said: text.autoCancelled });
  if (!wanted) return null;
  return (
    <>
      <Line icon={<GitMerge size={18} aria-hidden />} tone="soft">
        {text.autoMerges(wanted.enabled_by?.username, text.withStrategy[wanted.strategy])}
        {wanted.problem === null ? null : <> {wanted.problem}</>}
      </Line>
      {may.merge || may.edit ? (
        <Button busy={cancel.isPending} onClick={cancel.start}>
          {text.autoCancel}
        </Button>
      ) : null}
    </>
  );
}

export function AutoMergeButton(props: { mergeRequest: MergeRequest; strategies: readonly MergeStrategy[] }) {
  const { mergeRequest, strategies } = props;
  const path = useMergeRequestPath();
  const { id, default_branch: defaultBranch } = useRepository();
  const [preferred] = useState(lastStrategy);
  const usual = strategies.includes(preferred) ? preferred : strategies[0];
  const { source_branch: source } = mergeRequest;
  return (
    <FormButton
      label={text.auto}
      title={text.autoTitle}
      lead={text.autoLead}
      submit={text.autoSubmit}
      kind="normal"
      said={text.autoEnabled}
      run={(values) => {
        const strategy = (values["strategy"] ?? "merge") as MergeStrategy;
        keepStrategy(strategy);
        const isDeleted = values["delete_source_branch"] === "on";
        return api.PUT(address, { params: { path }, body: { strategy, delete_source_branch: isDeleted } });
      }}
    >
      {() => (
        <>
          <SelectField name="strategy" label={text.strategy} defaultValue={usual}>
            {strategies.map((strategy) => (
              <option key={strategy} value={strategy}>
                {text.strategies[strategy]}
              </option>
            ))}
          </SelectField>
          {source === defaultBranch || isForeign(mergeRequest, id) ? null : (
            <CheckField name="delete_source_branch" label={text.deleteSource(source)} />
          )}
        </>
      )}
    </FormButton>
  );
}

/** Something is missing that may come by itself. */
export function canWait({ draft, mergeable, blocked_by: reasons, pipeline }: MergeRequest): boolean {
  if (mergeable === "conflict") return false;
  return draft || reasons.length > 0 || (pipeline !== null && pipeline.status !== "success");
}
