/** Whether a merge request is open, a draft, merged or closed. */
import { GitMerge, GitPullRequestArrow, GitPullRequestClosed, GitPullRequestDraft } from "lucide-react";
import { text } from "../../text/merge-requests.ts";
import { StateBadge, StateMark } from "../work-items/state-badge.tsx";
import type { MergeRequest } from "./merge-request.ts";

type Shown = Pick<MergeRequest, "state" | "draft">;

const looks = {
  open: { tone: "open", Icon: GitPullRequestArrow, word: text.states.open },
  draft: { tone: "draft", Icon: GitPullRequestDraft, word: text.draft },
  merged: { tone: "done", Icon: GitMerge, word: text.states.merged },
  closed: { tone: "refused", Icon: GitPullRequestClosed, word: text.states.closed },
} as const;

function lookOf({ state, draft }: Shown) {
  return looks[state === "open" && draft ? "draft" : state];
}

/** The mark alone, for rows; screen readers get the word. */
export function MergeRequestMark({ mergeRequest }: { mergeRequest: Shown }) {
  const { tone, Icon, word } = lookOf(mergeRequest);
  return <StateMark tone={tone} icon={<Icon size={16} aria-hidden />} label={word} />;
}

export function MergeRequestBadge({ mergeRequest }: { mergeRequest: Shown }) {
  const { tone, Icon, word } = lookOf(mergeRequest);
  return (
    <StateBadge tone={tone} icon={<Icon size={15} aria-hidden />}>
      {word}
    </StateBadge>
  );
}
