/** Of a merge request that was merged or closed: by whom, when and how, and what can still be done. */
import { GitMerge, GitPullRequestClosed } from "lucide-react";
import { Link } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { commitAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { RestoreBranch } from "../merge-request-branches/restore-branch.tsx";
import { TakeMerged } from "../merge-request-branches/take-merged.tsx";
import { Actor } from "../work-items/actor.tsx";
import { ReopenButton } from "./close-button.tsx";
import { DeleteSourceBranch } from "./delete-source-branch.tsx";
import { Line } from "./merge-box-line.tsx";
import styles from "./merge-box.module.css";
import type { MergeRequest } from "./merge-request.ts";

export function EndedBox({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const isMerged = mergeRequest.state === "merged";
  const mayReopen = !isMerged && mergeRequest.viewer_may.close;
  return (
    <>
      {isMerged ? <Merged mergeRequest={mergeRequest} /> : <Closed mergeRequest={mergeRequest} />}
      <div className={styles.actions}>
        {mayReopen ? <ReopenButton /> : null}
        <TakeMerged mergeRequest={mergeRequest} />
        <DeleteSourceBranch mergeRequest={mergeRequest} />
        <RestoreBranch mergeRequest={mergeRequest} />
      </div>
    </>
  );
}

function Merged({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const repository = useRepository();
  const { merged_by: by, merged_at: at, merge_sha: sha, merge_strategy: strategy } = mergeRequest;
  return (
    <Line icon={<GitMerge size={18} aria-hidden />} tone="done">
      <Actor person={by} /> {text.mergedBy} {strategy === null ? null : text.withStrategy[strategy]}{" "}
      {at === null ? null : <Time at={at} />}
      {sha === null ? null : (
        <>
          {" "}
          {text.mergedAs}{" "}
          <Link to={commitAddress(repository, sha)} data-inline>
            <code>{shortName(sha)}</code>
          </Link>
        </>
      )}
      {strategy === null ? <div className={styles.soft}>{text.mergedByGit}</div> : null}
    </Line>
  );
}

function Closed({ mergeRequest: { closed_by: by, closed_at: at } }: { mergeRequest: MergeRequest }) {
  return (
    <Line icon={<GitPullRequestClosed size={18} aria-hidden />} tone="bad">
      <Actor person={by} /> {text.closedBy} {at === null ? null : <Time at={at} />}
      <div className={styles.soft}>{text.closedNotMerged}</div>
    </Line>
  );
}
