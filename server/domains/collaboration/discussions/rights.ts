/** Who may do what on the board of a team; the one place that decides. */
import type { Discussion, DiscussionReply } from "@forgeline/schemas/discussions/resource.ts";

export interface BoardViewer {
  userId: string | null;
  /** A member of the team or of a team nested in it, or somebody who manages it. */
  belongs: boolean;
  /** Owners of the organization, and maintainers of the team or of a team above it. */
  manages: boolean;
  /** The credential may read issues. */
  readsIssues: boolean;
}

export function discussionRights(
  { userId, belongs, manages }: Omit<BoardViewer, "readsIssues">,
  { author_id: authorId, locked }: { author_id: string | null; locked: boolean },
): Discussion["viewer_may"] {
  const isAuthor = belongs && userId !== null && userId === authorId;
  return {
    reply: manages || (belongs && !locked),
    edit: isAuthor,
    moderate: manages,
    delete: isAuthor || manages,
  };
}

export function replyRights(
  { userId, belongs, manages }: Omit<BoardViewer, "readsIssues">,
  { author_id: authorId }: { author_id: string | null },
): DiscussionReply["viewer_may"] {
  const isAuthor = belongs && userId !== null && userId === authorId;
  return { edit: isAuthor, delete: isAuthor || manages };
}
