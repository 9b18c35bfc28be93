/** What discussions and their replies share: who looks at the board of a team, and the discussion that is changed. */
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { managesTeam, type GrantedTeam } from "../../policy/domain.ts";
import * as store from "./discussions.store.ts";
import type { DiscussionRow, SeenTeam } from "./discussions.store.ts";
import type { BoardViewer } from "./rights.ts";

export interface Caller {
  actor: Actor;
  granted: GrantedTeam;
}

export async function viewerOf(db: Queryable, { actor, granted }: Caller): Promise<BoardViewer> {
  const { userId } = actor;
  const manages = managesTeam(granted);
  const readsIssues = hasScope(actor, "issue:read");
  if (manages || granted.teamRole !== null || userId === null)
    return { userId, manages, readsIssues, belongs: manages || granted.teamRole !== null };
  // The grant knows roles in the team and above it; who is in a nested team belongs to it too.
  const found = await db.one(store.statements.belongs, [granted.team.id, userId]);
  return { userId, manages, readsIssues, belongs: found !== undefined };
}

export function seenBy({ team }: GrantedTeam, { belongs, userId }: BoardViewer): SeenTeam {
  return { teamId: team.id, belongs, viewerId: userId };
}

/** Throws `not_found`, also for a private one that the viewer may not see. */
export async function found(db: Queryable, team: SeenTeam, number: number): Promise<DiscussionRow> {
  const row = await store.findDiscussion(db, team, number);
  if (!row) throw new AppError("not_found");
  return row;
}

/** Others that change it wait until the transaction ends. Throws as `found`. */
export async function lock(tx: Transaction, team: SeenTeam, number: number): Promise<DiscussionRow> {
  await tx.query(store.statements.lockDiscussion, [team.teamId, team.belongs, number]);
  return found(tx, team, number);
}
