/** What stands beside a merge request: its latest pipeline, and what it is sorted by. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { StatusMark } from "../../ui/status.tsx";
import { ItemSubscription } from "../notifications/item-subscription.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ReviewersField } from "../reviews/reviewers-field.tsx";
import { NamedItems } from "../work-items/named-items.tsx";
import { SideColumn } from "../work-items/side-column.tsx";
import { SideField } from "../work-items/side-field.tsx";
import { sideBody } from "../work-items/side-values.ts";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function MergeRequestSide({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const path = useMergeRequestPath();
  const { labels, assignees, milestone, author, viewer_may: may } = mergeRequest;
  return (
    <SideColumn
      values={{ labels, assignees, milestone }}
      mayTriage={may.triage}
      people={author ? [author] : []}
      save={(change) =>
        api.PATCH("/repos/{owner}/{repo}/merge-requests/{number}", {
          params: { path },
          body: sideBody(change),
        })
      }
    >
      <ReviewersField mergeRequest={mergeRequest} />
      <ItemSubscription kind="merge_request" number={mergeRequest.number} />
      <LatestPipeline mergeRequest={mergeRequest} />
      <NamedItems
        title={mergeRequest.state === "open" ? text.willClose : text.closes}
        mark="#"
        items={mergeRequest.closes}
      />
    </SideColumn>
  );
}

function LatestPipeline({ mergeRequest: { pipeline } }: { mergeRequest: MergeRequest }) {
  const { full_name: fullName } = useRepository();
  return (
    <SideField title={text.pipeline} trigger={null}>
      {pipeline === null ? (
        text.noPipeline
      ) : (
        <>
          <StatusMark status={pipeline.status} />
          <Link to={`/${fullName}/pipelines/${pipeline.number}`}>{text.pipelineNumber(pipeline.number)}</Link>
        </>
      )}
    </SideField>
  );
}
