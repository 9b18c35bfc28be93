/** Who may do what with an issue or a merge request; the one place that decides (`decisions.md`, "Collaboration"). */
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { ViewerMay } from "@forgeline/schemas/work-items/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { GrantedRepository } from "../../policy/domain.ts";

export interface Viewer {
  /** Null: not signed in. */
  userId: string | null;
  level: RepositoryLevel;
  /** The repository is archived: nothing changes in it. */
  archived: boolean;
}

export function mayChange(viewer: Viewer, item: { author_id: string | null; locked: boolean }): ViewerMay {
  const has = (level: RepositoryLevel) => !viewer.archived && levelCovers(viewer.level, level);
  const isSignedIn = viewer.userId !== null && !viewer.archived;
  const isAuthor = isSignedIn && viewer.userId === item.author_id;
  const triage = isSignedIn && has("triage");
  return {
    comment: isSignedIn && (triage || !item.locked),
    edit: isAuthor || (isSignedIn && has("maintain")),
    close: isAuthor || triage,
    triage,
    pin: isSignedIn && has("maintain"),
    delete: isSignedIn && has("admin"),
  };
}

export function viewerOf(actor: Actor, { repository, level }: GrantedRepository): Viewer {
  return { userId: actor.userId, level, archived: repository.archived };
}
