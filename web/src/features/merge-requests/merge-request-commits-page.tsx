/** The commits of a merge request. */
import { Link } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { text as general } from "../../text/general.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { CommitList } from "../commits/commit-list.tsx";
import { MergeRequestFrame } from "./merge-request-frame.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { commitsPerPage } from "./early-answers.ts";
import { useMergeRequestCommits } from "./use-merge-request.ts";

export function MergeRequestCommitsPage() {
  return <MergeRequestFrame>{(found) => <Commits mergeRequest={found} />}</MergeRequestFrame>;
}

function Commits({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const commits = useMergeRequestCommits(mergeRequest, usePageNumber());
  return (
    <QueryView query={commits} lines={8}>
      {({ commits: rows, total }) => {
        if (rows.length > 0)
          return (
            <>
              <CommitList commits={rows} gitRef={mergeRequest.source_branch} />
              <Pager total={total} perPage={commitsPerPage} label={text.commitPages} />
            </>
          );
        if (total > 0)
          return <EmptyState title={text.pastEnd} action={<Link to="?">{general.firstPage}</Link>} />;
        return <EmptyState title={text.noCommits}>{text.noCommitsHint}</EmptyState>;
      }}
    </QueryView>
  );
}
