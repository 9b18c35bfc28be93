/**
 * Edits by maintainers: the author of a merge request from another repository lets those who may write in the target push to its source
 * branch. It holds while the merge request is open, and only as long as the author may push there.
 */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { hasScope, insufficientScope, excludesRepository } from "../../../platform/access/requirement.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { actingFor, type UserRow } from "../../accounts/domain.ts";
import type { BranchInvitation, BranchInvitations, Upstreams } from "../../hosting/domain.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { namesOf } from "../work-items/present.ts";
import type { Place } from "../work-items/work-items.ts";
import * as store from "./invitations.store.ts";

export interface EditsByMaintainers {
  /** What hosting asks before a push. */
  invitations: BranchInvitations;
  /**
   * Whether a new merge request from this repository allows them: what is wanted, or else whether it is the fork of a person who may be asked for it with this
   * credential. Throws `validation_failed` for the same repository, and `insufficient_scope` for a credential that may not push there.
   */
  ofNew(actor: Actor, proposed: Proposed, wanted: boolean | undefined): Promise<boolean>;
  /** For the author alone. Throws `forbidden` for others, and where they may not push there, and as `ofNew`. */
  refuse(actor: Actor, changed: ChangedEdits, allowed: boolean | undefined): Promise<void>;
  /** Whether that is a change, which is audited. Undefined: nothing is wanted. */
  set(tx: Transaction, place: SetPlace, allowed: boolean | undefined): Promise<boolean>;
  /** Closing has ended them: they go on only where the author reopens it, with a credential that may push; where not, that is audited. */
  reopened(tx: Transaction, place: SetPlace): Promise<void>;
}

interface Proposed {
  into: RepositoryRef;
  from: RepositoryRef;
}

export interface ChangedEdits {
  author_id: string | null;
  repository_id: string;
  source_repository_id: string | null;
}

interface SetPlace extends Pick<Place, "item"> {
  actor: Actor;
  target: RepositoryRef;
  source: { id: string; full_name: string } | null;
}

export interface EditsByMaintainersDeps {
  db: Database;
  upstreams: Pick<Upstreams, "see">;
  users: { getMany(ids: readonly string[]): Promise<Map<string, UserRow>> };
  repositories: { get(id: string): Promise<{ owner_kind: "user" | "org" }> };
}

export function createEditsByMaintainers(deps: EditsByMaintainersDeps): EditsByMaintainers {
  const { db, upstreams } = deps;

  async function mayWrite(repositoryId: string, actor: Actor): Promise<boolean> {
    if (excludesRepository(actor, repositoryId)) return false;
    const found = await upstreams.see(repositoryId, actor);
    return found !== undefined && !found.repository.archived && levelCovers(found.level, "write");
  }

  /** The author, if they may still push to the source. */
  async function stillAllows(authorId: string, sourceId: string): Promise<boolean> {
    const author = (await deps.users.getMany([authorId])).get(authorId);
    const actor = author && actingFor(author);
    return actor ? mayWrite(sourceId, actor) : false;
  }

  const set: EditsByMaintainers["set"] = async (tx, { item, actor, target, source }, allowed) => {
    if (allowed === undefined || !(await store.setEdits(tx, item.id, allowed))) return false;
    if (!source) return true;
    const { owner, name } = namesOf(source.full_name);
    const from = { id: source.id, owner, name };
    await recordEdits(tx, actor, { from, target, number: item.number, allowed });
    return true;
  };

  return {
    async invitations(actor, { id: sourceId }, branches) {
      const found = new Map<string, BranchInvitation>();
      const mayMerge = remembered((targetId: string) => mayWrite(targetId, actor));
      const allows = remembered((authorId: string) => stillAllows(authorId, sourceId));
      for (const row of await store.findInviting(db, sourceId, branches)) {
        if (found.has(row.source_branch)) continue;
        const { source_branch: branch, repository_id: targetId, author_id: authorId } = row;
        if (authorId === null || !(await mayMerge(targetId)) || !(await allows(authorId))) continue;
        found.set(branch, { branch, mergeRequest: `${row.full_name}!${row.number}` });
        if (branches === null) break;
      }
      return [...found.values()];
    },
    async ofNew(actor, { into, from }, wanted) {
      const isHere = into.id === from.id;
      if (isHere && wanted === true) throw sameRepository();
      if (isHere || wanted === false) return false;
      const mayPush = hasScope(actor, "repo:write") && actor.job === null;
      if (wanted === undefined)
        return mayPush && (await deps.repositories.get(from.id)).owner_kind === "user";
      if (!mayPush) throw insufficientScope("repo:write", scopeText);
      return true;
    },
    async refuse(actor, { author_id, repository_id, source_repository_id: sourceId }, allowed) {
      if (allowed === undefined) return;
      if (actor.userId === null || actor.userId !== author_id)
        throw new AppError("forbidden", { message: authorText });
      if (!allowed) return;
      if (sourceId === repository_id) throw sameRepository();
      if (!hasScope(actor, "repo:write") || actor.job !== null)
        throw insufficientScope("repo:write", scopeText);
      if (sourceId === null || !(await mayWrite(sourceId, actor)))
        throw new AppError("forbidden", { message: rightText });
    },
    set,
    async reopened(tx, place) {
      const { actor, item } = place;
      const isAuthor = actor.userId !== null && actor.userId === item.author_id;
      if (!isAuthor || !hasScope(actor, "repo:write") || actor.job !== null) await set(tx, place, false);
    },
  };
}

/** For whoever owns the repository with the branch: somebody else may push there from now on, or not any more. */
export async function recordEdits(
  tx: Transaction,
  actor: Actor,
  edits: {
    from: Pick<RepositoryRef, "id" | "owner" | "name">;
    target: RepositoryRef;
    number: number;
    allowed: boolean;
  },
): Promise<void> {
  const { from, target, number, allowed } = edits;
  await recordAudit(tx, actor, {
    action: "merge_request.edits",
    target: { type: "repository", id: from.id, name: `${from.owner}/${from.name}` },
    details: { merge_request: `${target.owner}/${target.name}!${number}`, allowed },
  });
}

function remembered(ask: (id: string) => Promise<boolean>): (id: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (id) => {
    const answer = known.get(id) ?? ask(id);
    known.set(id, answer);
    return answer;
  };
}

const authorText = "Only the author decides whether maintainers may push to the source branch.";
const rightText = "It takes Write on the repository of the source branch to let others push to it.";
const scopeText = "Letting others push to the source branch takes what a push takes.";

function sameRepository(): AppError {
  return invalidField(
    "maintainer_can_modify",
    "not_allowed",
    "The source branch is in this repository: whoever may write here can push to it already.",
  );
}
