/**
 * Who may push to a repository: whoever has Write there, and to single branches whoever a domain above has invited, such as those who
 * may merge what its branch proposes. Every transport and every operation of ours asks here.
 */
import { hasScope, excludesRepository, type Requirement } from "../../../platform/access/requirement.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import type { BranchInvitation, BranchInvitations } from "../followers.ts";

export interface PushRight {
  repository: RepositoryRef;
  /** The actor has no Write there: each branch that is pushed has to be one of an invitation. */
  isInvited: boolean;
}

export interface PushRights {
  /** Throws what the authorizer throws. */
  authorize(actor: Actor, address: { owner: string; name: string }): Promise<PushRight>;
  /**
   * By what the actor may push to this branch without Write in its repository, which they see; undefined: they may not. The scope of the credential
   * is not asked.
   */
  invitation(actor: Actor, repository: RepositoryRef, branch: string): Promise<BranchInvitation | undefined>;
  /** For a push by invitation, as it is now: the updates that are refused, with the reason, and by what the others are allowed. */
  judge(push: InvitedPush): Promise<{ refusals: Map<string, string>; invitations: BranchInvitation[] }>;
}

export interface InvitedPush {
  repository: RepositoryRef;
  actor: Actor;
  updates: readonly RefUpdate[];
}

export interface PushRightsDeps {
  authorizer: Pick<Authorizer, "authorizeRepository">;
  invitations: BranchInvitations;
}

const toWrite = { access: "repo_write", scope: "repo:write", jobs: "allowed" } as const satisfies Requirement;
const toSee = {
  access: "repo_read",
  scope: "repo:write",
  archived: "refused",
} as const satisfies Requirement;
const branchPrefix = "refs/heads/";

export function createPushRights({ authorizer, invitations }: PushRightsDeps): PushRights {
  /** The repository, where the actor may be invited to branches of it with this credential. */
  async function seen(
    actor: Actor,
    address: { owner: string; name: string },
  ): Promise<RepositoryRef | undefined> {
    if (!mayBeInvited(actor) || !hasScope(actor, "repo:write")) return undefined;
    const granted = await authorizer.authorizeRepository(actor, toSee, address).catch(unlessRefused);
    return granted && !excludesRepository(actor, granted.repository.id) ? granted.repository : undefined;
  }

  return {
    async authorize(actor, address) {
      try {
        const { repository } = await authorizer.authorizeRepository(actor, toWrite, address);
        return { repository, isInvited: false };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
        const repository = await seen(actor, address);
        const found = repository && (await invitations(actor, repository, null));
        if (!repository || !found?.length) throw error;
        return { repository, isInvited: true };
      }
    },
    async invitation(actor, repository, branch) {
      if (!mayBeInvited(actor) || excludesRepository(actor, repository.id)) return undefined;
      return (await invitations(actor, repository, [branch]))[0];
    },
    async judge({ repository, actor, updates }) {
      const present = await seen(actor, repository);
      const branches = updates.filter(isMove).map(({ ref }) => ref.slice(branchPrefix.length));
      const found =
        present?.id === repository.id && branches.length > 0
          ? await invitations(actor, repository, branches)
          : [];
      const open = new Set(found.map(({ branch }) => branch));
      const refused = updates.filter(
        (update) => !isMove(update) || !open.has(update.ref.slice(branchPrefix.length)),
      );
      return { refusals: new Map(refused.map(({ ref }) => [ref, refusedText])), invitations: found };
    },
  };
}

/** A branch that is there goes elsewhere: whoever is invited creates and deletes nothing. */
function isMove({ ref, before, after }: RefUpdate): boolean {
  return ref.startsWith(branchPrefix) && before !== zeroId && after !== zeroId;
}

/** Invited are people and bots, not what acts for them. */
function mayBeInvited({ kind, job, deployKey, userId }: Actor): boolean {
  return (kind === "user" || kind === "bot") && userId !== null && job === null && !deployKey;
}

const refusedText =
  "without the permission write in this repository, you can push only to existing source branches of open merge requests whose authors allow edits by maintainers, where you may merge them";

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
