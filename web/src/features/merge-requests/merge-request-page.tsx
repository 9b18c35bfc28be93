/** One merge request: what it is for, what was said and done about it, and the way to merge it. */
import { useState } from "react";
import { CommentForm, NoCommenting } from "../work-items/comment-form.tsx";
import { createNewComment } from "../work-items/new-comment.ts";
import { ReviewedConversation } from "../reviews/reviewed-conversation.tsx";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { Description } from "./description.tsx";
import { MergeBox } from "./merge-box.tsx";
import { MergeRequestFrame } from "./merge-request-frame.tsx";
import { MergeRequestSide } from "./merge-request-side.tsx";
import { useMergeRequestCalls } from "./use-merge-request-calls.ts";
import type { MergeRequest } from "./merge-request.ts";

export function MergeRequestPage() {
  return <MergeRequestFrame>{(found) => <Shown key={found.id} mergeRequest={found} />}</MergeRequestFrame>;
}

function Shown({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const calls = useMergeRequestCalls();
  const [typed] = useState(createNewComment);
  const { locked, viewer_may: may } = mergeRequest;
  const place = useTextPlace();
  return (
    <TwoColumns side={<MergeRequestSide mergeRequest={mergeRequest} />}>
      <Description {...{ mergeRequest, calls, place }} />
      <ReviewedConversation
        {...{ mergeRequest, calls, place }}
        onQuote={may.comment ? typed.quote : undefined}
      />
      <MergeBox mergeRequest={mergeRequest} />
      {may.comment ? <CommentForm {...{ calls, place, typed }} /> : <NoCommenting locked={locked} />}
    </TwoColumns>
  );
}
