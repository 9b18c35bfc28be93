/** The domains that build on repositories, and what they do when something happens to one. */
import type { Actor } from "../../platform/access/actor.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type { RepositoryRef } from "../policy/domain.ts";
import type { CheckOutcome, CheckWanted } from "./protections/checks.ts";
import type { Rule } from "./protections/protections.store.ts";
import type { PushFollower } from "./pushes/push.ts";

/** A commit to which a push moves a branch. */
export interface ArrivingCommit {
  branch: string;
  /** Where the branch is before. */
  before: string;
  sha: string;
  rules: readonly Rule[];
}

/** Whoever has it may push to this branch, without Write in its repository. */
export interface BranchInvitation {
  branch: string;
  /** Whose source branch it is, as `owner/name!12`. */
  mergeRequest: string;
}

/**
 * By what the actor may push to these branches now, without Write in their repository; of a branch at most one. Null: to any branch, and
 * one answer is enough.
 */
export type BranchInvitations = (
  actor: Actor,
  repository: RepositoryRef,
  branches: readonly string[] | null,
) => Promise<BranchInvitation[]>;

/** What domains know of commits that a rule asks about, and of branches. */
export interface JudgedCommits {
  /** Whether a run of the commit has succeeded here. */
  hasPassed(repositoryId: string, sha: string): Promise<boolean>;
  /** In the order of what is wanted. */
  checks(repositoryId: string, sha: string, wanted: readonly CheckWanted[]): Promise<CheckOutcome[]>;
  /** Whether it is the head of an open merge request into the branch that has the approvals which the rules want. */
  isApproved(repository: RepositoryRef, arriving: ArrivingCommit): Promise<boolean>;
  invitations: BranchInvitations;
}

/** What a domain does when something happens to a repository, and what it knows of its commits. */
export interface HostingFollower {
  pushes: PushFollower;
  /** It is deleted with this transaction, and may be restored. */
  deleted(tx: Transaction, actor: Actor, repository: RepositoryRef): Promise<void>;
  /** Removes what is kept of it outside the database, before its rows go; absent is fine. */
  removeContent(repositoryId: string): Promise<void>;
  /** Of what pushes to protected branches ask; absent: it knows nothing of that. */
  judged?: Partial<JudgedCommits>;
  /** Storage that logs of the repository take. */
  logBytes(repositoryId: string): Promise<number>;
}

/** In the transaction in which a repository gets another owner, or is deleted. */
export type RepositoryHandler = (tx: Transaction, repositoryId: string) => Promise<void>;

/** Somebody who has made a repository, or whose it is now. */
export interface RepositoryGain {
  repositoryId: string;
  userId: string;
}

/** In the transaction in which somebody makes a repository, or is given one. */
export type GainHandler = (tx: Transaction, gain: RepositoryGain) => Promise<void>;

export type HostingFollowers = ReturnType<typeof createFollowers>;

const nothing: Omit<HostingFollower, "pushes"> = {
  deleted: () => Promise.resolve(),
  removeContent: () => Promise.resolve(),
  logBytes: () => Promise.resolve(0),
};

/** All of them as one. */
export function createFollowers() {
  const followers: HostingFollower[] = [];
  const transferHandlers: RepositoryHandler[] = [];
  const gainHandlers: GainHandler[] = [];
  const deletionHandlers: RepositoryHandler[] = [];
  return {
    follow: (follower: HostingFollower) => void followers.push(follower),
    /** Of a domain that keeps everything in the database, where it goes with the repository. */
    followPushes: (pushes: PushFollower, judged: Partial<JudgedCommits> = {}) =>
      void followers.push({ ...nothing, pushes, judged }),
    onTransfer: (handler: RepositoryHandler) => void transferHandlers.push(handler),
    onGain: (handler: GainHandler) => void gainHandlers.push(handler),
    /** Of a domain that follows neither pushes nor content. */
    onDeletion: (handler: RepositoryHandler) => void deletionHandlers.push(handler),
    pushes: () => followers.map((each) => each.pushes),
    async deleted(tx: Transaction, actor: Actor, repository: RepositoryRef): Promise<void> {
      for (const follower of followers) await follower.deleted(tx, actor, repository);
      for (const handle of deletionHandlers) await handle(tx, repository.id);
    },
    async transferred(tx: Transaction, repositoryId: string): Promise<void> {
      for (const handle of transferHandlers) await handle(tx, repositoryId);
    },
    async gained(tx: Transaction, gain: RepositoryGain): Promise<void> {
      for (const handle of gainHandlers) await handle(tx, gain);
    },
    async removeContent(repositoryId: string): Promise<void> {
      for (const follower of followers) await follower.removeContent(repositoryId);
    },
    judged: judgedBy(followers),
    async logBytes(repositoryId: string): Promise<number> {
      let bytes = 0;
      for (const follower of followers) bytes += await follower.logBytes(repositoryId);
      return bytes;
    },
  };
}

/** Each is known to one of them. */
function judgedBy(followers: readonly HostingFollower[]): JudgedCommits {
  return {
    async hasPassed(repositoryId, sha) {
      for (const { judged } of followers) if (await judged?.hasPassed?.(repositoryId, sha)) return true;
      return false;
    },
    async checks(repositoryId, sha, wanted) {
      const knows = followers.find(({ judged }) => judged?.checks)?.judged?.checks;
      if (knows) return knows(repositoryId, sha, wanted);
      return wanted.map((check) => ({ check, state: "missing" as const, run: null }));
    },
    async isApproved(repository, arriving) {
      for (const { judged } of followers) if (await judged?.isApproved?.(repository, arriving)) return true;
      return false;
    },
    async invitations(actor, repository, branches) {
      const knows = followers.find(({ judged }) => judged?.invitations)?.judged?.invitations;
      return knows ? knows(actor, repository, branches) : [];
    },
  };
}
