/** What the latest run has tested, where that is the merged result: of the target branch as it is, or of an older one. */
import { CircleCheck, History } from "lucide-react";
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import styles from "../merge-request-branches/update-branch.module.css";
import { Line } from "./merge-box-line.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function TestedResult({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { pipeline, mergeable, target_branch: target, viewer_may: may } = mergeRequest;
  const path = useMergeRequestPath();
  const again = useChange(
    () => api.POST("/repos/{owner}/{repo}/merge-requests/{number}/pipelines", { params: { path } }),
    { said: text.runsSoon },
  );
  const tested = pipeline?.merged_result;
  // While branches are compared, what is known of them is of before.
  if (!tested || mergeable === "checking") return null;
  if (tested.is_current)
    return (
      <Line icon={<CircleCheck size={18} aria-hidden />} tone="soft">
        {text.testedNow(target)}
      </Line>
    );
  return (
    <div className={styles.behind}>
      <Line icon={<History size={18} aria-hidden />} tone="soft">
        {text.testedOlder(target)}
      </Line>
      {may.merge ? (
        <Button busy={again.isPending} onClick={() => again.mutate(undefined, { onError: showProblem })}>
          {text.runAgain}
        </Button>
      ) : null}
    </div>
  );
}
