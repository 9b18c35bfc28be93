/** Brings the target branch into the source branch, where that lacks commits of it: merged, or by a rebase. */
import { ChevronDown, GitCommitHorizontal } from "lucide-react";
import { updateMethods } from "@forgeline/client/generated/choices.ts";
import { api } from "../../api/client.ts";
import { isConflict } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/merge-request-branches.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { Line } from "../merge-requests/merge-box-line.tsx";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import styles from "./update-branch.module.css";
import { useWritableSource } from "./use-source-branch.ts";

export function UpdateBranch({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { base_sha: base, merge_base_sha: common, mergeable, target_branch: target } = mergeRequest;
  const source = useWritableSource(mergeRequest);
  const update = useUpdate(mergeRequest);
  // While branches are compared, what is known of them is of before.
  const isKnown = mergeable === "clean" || mergeable === "blocked";
  const isBehind = isKnown && common !== null && base !== common;
  if (!source || !isBehind) return null;
  return (
    <div className={styles.behind}>
      <Line icon={<GitCommitHorizontal size={18} aria-hidden />} tone="soft">
        {text.behind(target)}
      </Line>
      <span className={styles.buttons}>
        <Button busy={update.isPending} onClick={() => update.start("merge")}>
          {text.update}
        </Button>
        <Menu
          label={text.updateAs}
          trigger={
            <IconButton label={text.updateAs}>
              <ChevronDown aria-hidden />
            </IconButton>
          }
          items={updateMethods.map((method) => ({
            kind: "action" as const,
            label: text.methods[method](target),
            onSelect: () => update.start(method),
          }))}
        />
      </span>
    </div>
  );
}

/** Of what is shown: a branch that has moved since is left as it is. */
function useUpdate({ head_sha: sha }: MergeRequest) {
  const path = useMergeRequestPath();
  const change = useChange(
    (method: (typeof updateMethods)[number]) =>
      api.POST("/repos/{owner}/{repo}/merge-requests/{number}/update-branch", {
        params: { path },
        body: { method, sha },
      }),
    { said: text.updated },
  );
  const start = (method: (typeof updateMethods)[number]) =>
    change.mutate(method, {
      onError: (error) => {
        showProblem(error);
        if (isConflict(error)) void queryClient.invalidateQueries();
      },
    });
  return { isPending: change.isPending, start };
}
