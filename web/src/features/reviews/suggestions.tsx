/** Shows what a comment suggests as changes of the lines that it is about. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SuggestionContext, type ShowSuggestion } from "../markdown/suggestion-context.ts";
import { useShownReview } from "./review-context.ts";
import type { CommentSuggestions as Known } from "./review.ts";
import { SuggestedChange } from "./suggested-change.tsx";
import type { Comment } from "../work-items/work-item.ts";

export function CommentSuggestions({ comment, children }: { comment: Comment; children: ReactNode }) {
  const mayHaveSome = comment.body.includes("suggestion");
  return mayHaveSome ? <Asked comment={comment}>{children}</Asked> : children;
}

/** One list for all comments of the merge request, asked for with the first one that is shown. */
function Asked({ comment, children }: { comment: Comment; children: ReactNode }) {
  const { calls, mergeRequest } = useShownReview();
  const { data } = useQuery({
    queryKey: ["suggestions", ...calls.key, mergeRequest.head_sha],
    queryFn: calls.suggestions,
    select: (all) => all.find(({ comment_id: id }) => id === comment.id),
  });
  return <SuggestionContext value={data && showFrom(data)}>{children}</SuggestionContext>;
}

/** What is not known as one, such as markup that only looks like it, stays a block of code. */
function showFrom({ comment_id: comment, suggestions, viewer_may: may }: Known): ShowSuggestion {
  return (index, lines) => {
    const suggestion = suggestions.find((each) => each.index === index);
    if (!suggestion || suggestion.new_lines.join("\n") !== lines.replace(/\n$/, "")) return undefined;
    return <SuggestedChange {...{ comment, suggestion }} mayApply={may.apply} />;
  };
}
