/** How to merge, and with which message. What was seen is what is merged: a head that has moved since is refused by the server. */
import { useState } from "react";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import { api } from "../../api/client.ts";
import { isConflict } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/merge-requests.ts";
import { CheckField, FieldGroup } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { MergeMessage } from "./merge-message.tsx";
import { isForeign, sourceName } from "./source-name.ts";
import { keepStrategy, lastStrategy, type MergeStrategy } from "./strategy-choice.ts";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export interface MergeFormProps {
  mergeRequest: MergeRequest;
  /** Ways that the rules for the target branch allow. */
  allowed: readonly MergeStrategy[];
  /** It goes by the merge queue of its target branch. */
  byQueue: boolean;
}

export function MergeForm({ mergeRequest, allowed, byQueue }: MergeFormProps) {
  const { id, default_branch: defaultBranch } = useRepository();
  const { source_branch: source, source_repo: sourceRepo } = mergeRequest;
  const [wanted, setWanted] = useState(lastStrategy);
  const [messages, setMessages] = useState<Partial<Record<MergeStrategy, string>>>({});
  // With commits of its own, the target branch cannot be moved forward.
  const isAhead = mergeRequest.base_sha === mergeRequest.merge_base_sha;
  const isPossible = (each: MergeStrategy) =>
    allowed.includes(each) && (each !== "fast_forward" || isAhead || byQueue);
  const strategy = isPossible(wanted) ? wanted : (mergeStrategies.find(isPossible) ?? wanted);
  const hintOf = (each: MergeStrategy) => {
    if (!allowed.includes(each)) return text.notAllowed;
    return isPossible(each) ? text.strategyHints[each] : text.noFastForward(mergeRequest.target_branch);
  };
  const merge = useMerge(mergeRequest, { strategy, message: messages[strategy], byQueue });
  return (
    <Form
      submit={byQueue ? text.addToQueue : text.merge[strategy]}
      state={merge}
      onSubmit={merge.start}
      disabled={mergeRequest.mergeable === "checking"}
    >
      <FieldGroup legend={text.strategy}>
        {mergeStrategies.map((each) => (
          <CheckField
            key={each}
            type="radio"
            name="strategy"
            value={each}
            label={text.strategies[each]}
            hint={hintOf(each)}
            disabled={!isPossible(each)}
            checked={each === strategy}
            onChange={() => setWanted(each)}
          />
        ))}
      </FieldGroup>
      {strategy === "merge" || strategy === "squash" ? (
        <MergeMessage
          key={strategy}
          mergeRequest={mergeRequest}
          strategy={strategy}
          value={messages[strategy]}
          onChange={(message) => setMessages({ ...messages, [strategy]: message })}
        />
      ) : null}
      {source === defaultBranch || sourceRepo === null ? null : (
        <CheckField
          name="delete_source_branch"
          label={text.deleteSource(sourceName(mergeRequest, id))}
          hint={isForeign(mergeRequest, id) ? text.deleteForeign(sourceRepo.full_name) : undefined}
        />
      )}
      {isConflict(merge.error) ? <Notice title={text.notMerged}>{text.refreshed}</Notice> : null}
    </Form>
  );
}

/** `message`: undefined where nobody has written one. */
function useMerge(
  { head_sha: sha }: MergeRequest,
  { strategy, message, byQueue }: { strategy: MergeStrategy; message: string | undefined; byQueue: boolean },
) {
  const path = useMergeRequestPath();
  const change = useChange(
    async (values: FormValues): Promise<unknown> => {
      const written = message?.trim() ? { commit_message: message } : {};
      const isDeleted = values["delete_source_branch"] === "on";
      const body = { strategy, sha, delete_source_branch: isDeleted, ...written };
      return byQueue
        ? api.POST("/repos/{owner}/{repo}/merge-queue", {
            params: { path: { owner: path.owner, repo: path.repo } },
            body: { number: path.number, ...body },
          })
        : api.PUT("/repos/{owner}/{repo}/merge-requests/{number}/merge", { params: { path }, body });
    },
    { said: byQueue ? text.addedToQueue : text.mergeDone, onDone: () => keepStrategy(strategy) },
  );
  const start = (values: FormValues) =>
    change.mutate(values, {
      onError: (error) => {
        if (isConflict(error)) void queryClient.invalidateQueries();
      },
    });
  return { ...change, start };
}
