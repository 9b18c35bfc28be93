/**
 * The source branch of a merge request, for whoever pushes to it by an operation of ours: where it is now, whether they may, and the
 * push itself. It is in the same repository, or in a fork, to which what is needed of the target comes first.
 */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { bringCommit, TooMuchToBring } from "../../../platform/git/merging/bring-commit.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { PushRights, PushService, StorageService, Upstreams } from "../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import { bringLargeFiles, type LargeFilesDeps } from "./large-files.ts";
import { requirePushScope } from "./push-scope.ts";
import { isNarrower } from "./visibility.ts";

/** As its record or its row says. */
export interface SourceOf {
  state: string;
  source_branch: string;
  source_repo: { id: string } | null;
}

export interface SourceTip {
  repository: RepositoryRef;
  /** The full name. */
  ref: string;
  /** Zeros: it is not there. */
  sha: string;
  /** The actor pushes there as the author of the merge request allows, without Write in the repository. */
  isInvited: boolean;
}

/** A commit of the target. */
export interface WantedThere {
  target: RepositoryRef;
  commit: string;
  signal: AbortSignal;
}

export interface SourceBranches {
  /**
   * Whether the actor may push there: to its repository, or while the merge request is open to this branch of it, if its author lets
   * them. Undefined where the repository is gone, or out of sight.
   */
  see(
    actor: Actor,
    granted: GrantedRepository,
    source: SourceOf,
  ): Promise<{ repository: RepositoryRef; mayPush: boolean; isInvited: boolean } | undefined>;
  /** To push there, whatever the state; `sha` is undefined where the branch is not there. Throws as `find`. */
  look(
    actor: Actor,
    granted: GrantedRepository,
    source: SourceOf,
  ): Promise<Omit<SourceTip, "sha"> & { sha: string | undefined }>;
  /**
   * Of an open merge request. Throws `forbidden` where the actor may not push there, `insufficient_scope` for a
   * credential that may not push, `conflict` where the merge request is
   * not open, or the branch or its repository is gone.
   */
  find(actor: Actor, granted: GrantedRepository, source: SourceOf): Promise<SourceTip>;
  /**
   * Has a commit of the target where the branch is, with the large files that it stands for; nothing for a branch of the target itself. Safe to repeat. Throws `conflict` where
   * more people would see it there, `quota_exceeded`, and the signal's reason.
   */
  bring(actor: Actor, tip: SourceTip, wanted: WantedThere): Promise<void>;
  /**
   * As a push by the actor, from the commit that was found to this one, which is there. False where the branch has moved
   * meanwhile. Throws what a push is refused with.
   */
  push(actor: Actor, tip: SourceTip, sha: string): Promise<boolean>;
}

export interface SourceBranchesDeps extends Pick<Platform, "git" | "files">, LargeFilesDeps {
  db: Database;
  upstreams: Pick<Upstreams, "see">;
  pushRights: Pick<PushRights, "invitation">;
  pushes: Pick<PushService, "move">;
  storageUse: Pick<StorageService, "roomOf">;
  storageMeter: { mark(db: Database, repositoryId: string): Promise<void> };
}

export function createSourceBranches(deps: SourceBranchesDeps): SourceBranches {
  const { db, git, storage } = deps;

  const see: SourceBranches["see"] = async (actor, granted, { source_repo: source, ...wanted }) => {
    if (!source) return undefined;
    const isHere = source.id === granted.repository.id;
    const found = isHere ? granted : await deps.upstreams.see(source.id, actor);
    if (!found) return undefined;
    const { repository, level } = found;
    if (actor.userId === null || repository.archived) return { repository, mayPush: false, isInvited: false };
    if (levelCovers(level, "write")) return { repository, mayPush: true, isInvited: false };
    const mayBe = !isHere && wanted.state === "open";
    const isInvited = mayBe && !!(await deps.pushRights.invitation(actor, repository, wanted.source_branch));
    return { repository, mayPush: isInvited, isInvited };
  };

  const look: SourceBranches["look"] = async (actor, granted, wanted) => {
    if (wanted.source_repo === null) throw conflict("The repository of the source branch is gone.");
    const source = await see(actor, granted, wanted);
    if (!source) throw new AppError("forbidden", { message: hiddenText });
    if (!source.mayPush) throw new AppError("forbidden", { message: rightText });
    requirePushScope(actor);
    const { repository, isInvited } = source;
    const ref = `refs/heads/${wanted.source_branch}`;
    const tip = await deps.files.resolveRef(repository.id, ref);
    return { repository, ref, sha: tip?.sha, isInvited };
  };

  async function usualTips({ id, defaultBranch }: RepositoryRef): Promise<string[]> {
    const tip = await deps.files.resolveRef(id, `refs/heads/${defaultBranch}`);
    return tip ? [tip.sha] : [];
  }

  return {
    see,
    look,
    async find(actor, granted, wanted) {
      const { sha, ...place } = await look(actor, granted, wanted);
      if (wanted.state !== "open")
        throw conflict(
          wanted.state === "merged" ? "It is merged already." : "It is closed: reopen it first.",
        );
      if (sha === undefined) throw conflict(`The branch ${wanted.source_branch} does not exist any more.`);
      return { ...place, sha };
    },
    async bring(actor, { repository, sha }, { target, commit, signal }) {
      if (repository.id === target.id) return;
      if (isNarrower(target.visibility, repository.visibility)) throw conflict(visibleText);
      const maxBytes = await deps.storageUse.roomOf(repository.id);
      if (maxBytes <= 0) throw new AppError("quota_exceeded", { message: tooLargeText });
      const places = { directory: storage.directory(repository.id), from: storage.directory(target.id) };
      const has = sha === zeroId ? await usualTips(repository) : [sha];
      await bringCommit(git, { ...places, commit, has, maxBytes, signal }).catch((error: unknown) => {
        if (!(error instanceof TooMuchToBring)) throw error;
        throw new AppError("quota_exceeded", { message: tooLargeText, cause: error });
      });
      await deps.storageMeter.mark(db, repository.id);
      const files = { from: target.id, into: repository.id, commit, without: has, userId: actor.userId };
      await bringLargeFiles(deps, files);
    },
    async push(actor, { repository, ref, sha: before, isInvited }, after) {
      try {
        await deps.pushes.move(repository, actor, { update: { ref, before, after }, isInvited });
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === "conflict") return false;
        throw error;
      }
    },
  };
}

const rightText =
  "It takes Write on the repository of the source branch to push to it, or that the author of this merge request allows edits by maintainers and you may merge it.";
const hiddenText =
  "You cannot see the repository of the source branch, so you cannot push to it: whoever owns it can give you Read there.";
const visibleText =
  "More people can see the repository of the source branch than this one, so nothing is brought there from here: push with Git what they may see.";
const tooLargeText = "The repository of the source branch would get larger than it may be.";

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}
