/**
 * Undoes what a merge request has merged, or brings it into another branch too: on a new branch, as a push by the caller, with one
 * commit, and a merge request of that branch.
 */
import type {
  BranchMade,
  MergeRequestCherryPick,
  MergeRequestRevert,
} from "@forgeline/schemas/merge-request-branches/resource.ts";
import { userIdOf, type Actor } from "../../../../platform/access/actor.ts";
import type { Addresses } from "../../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { isAncestor } from "../../../../platform/git/history/is-ancestor.ts";
import { applyChange, type ChangeToApply } from "../../../../platform/git/merging/apply-change.ts";
import type { Person } from "../../../../platform/git/merging/commit-tree.ts";
import { zeroId } from "../../../../platform/git/refs/names.ts";
import type { SignCommit } from "../../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../../platform/platform.ts";
import { commitIdentity } from "../../../accounts/domain.ts";
import { refProblem, repositoryAddress, type PushService } from "../../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../../policy/domain.ts";
import { checkBranchName, unknownBranch, type Branches } from "../branches.ts";
import { findMergeRequest, type MergeRequestRow } from "../merge-requests.store.ts";
import { requirePushScope } from "../push-scope.ts";
import type { MergeRequestService } from "../service.ts";
import { createSquashAuthors, type SquashAuthorDeps } from "../squash-author.ts";
import { findMergedRange, type MergedRange } from "./merged-range.ts";
import { conflict, withPatience } from "./refusals.ts";
import { nameOf, sayCherryPick, sayRevert, type Said } from "./words.ts";

export interface MergedChanges {
  /**
   * Throws `not_found`; `validation_failed` for a name that no branch may have; `conflict` where it is not merged, its target branch
   * does not have it, nothing is left to undo, a branch of that name exists, and, with `conflicts`, where the lines were changed
   * since; `insufficient_scope` for a credential that may not push; and what a push is refused with.
   */
  revert(
    actor: Actor,
    granted: GrantedRepository,
    wanted: MergeRequestRevert & Numbered,
  ): Promise<BranchMade>;
  /** As `revert`; also throws `validation_failed` for an unknown target. */
  cherryPick(
    actor: Actor,
    granted: GrantedRepository,
    wanted: MergeRequestCherryPick & Numbered,
  ): Promise<BranchMade>;
}

interface Numbered {
  number: number;
}

export interface MergedChangesDeps extends Pick<Platform, "git" | "storage">, SquashAuthorDeps {
  signCommit: SignCommit;
  db: Database;
  addresses: Addresses;
  branches: Pick<Branches, "tips">;
  pushes: Pick<PushService, "move">;
  create: MergeRequestService["create"];
}

/** What shall become of it: a commit at the tip of a branch, and what is said of it. */
interface Plan extends Said {
  target: string;
  change: Pick<ChangeToApply, "from" | "to" | "onto">;
  author: Person;
  committer: Person;
  nothing: string;
}

type Named = Pick<MergeRequestRevert, "branch" | "create_merge_request">;
type MergedRow = MergeRequestRow & { merge_sha: string };

/** Of names that the server chooses. */
const maxNames = 20;

export function createMergedChanges(deps: MergedChangesDeps): MergedChanges {
  const { db, git, storage, branches, pushes } = deps;
  const signSquash = createSquashAuthors(deps);

  async function mergedOf(
    { id }: RepositoryRef,
    number: number,
  ): Promise<{ row: MergedRow; range: MergedRange }> {
    const row = await findMergeRequest(db, id, number);
    if (!row) throw new AppError("not_found");
    const { merge_sha: sha } = row;
    if (row.state !== "merged" || sha === null) throw conflict("It is not merged.");
    const range = await findMergedRange(git.run, storage.directory(id), { ...row, merge_sha: sha });
    if (!range) throw conflict("Its commits cannot be told from others any more: do it with Git.");
    return { row: { ...row, merge_sha: sha }, range };
  }

  const tipOf = async ({ id }: RepositoryRef, name: string) =>
    (await branches.tips(id, { source: name, target: name })).target;

  const identityOf = async (actor: Actor) => commitIdentity(await deps.users.get(userIdOf(actor)));

  async function planRevert(actor: Actor, repository: RepositoryRef, number: number): Promise<Plan> {
    const { row, range } = await mergedOf(repository, number);
    const { target_branch: target, merge_sha: before } = row;
    const onto = await tipOf(repository, target);
    if (!onto) throw conflict(`The branch ${target} does not exist any more.`);
    const directory = storage.directory(repository.id);
    if (!(await isAncestor(git.run, { directory, quarantine: null, before, after: onto })))
      throw conflict(`The branch ${target} does not have it any more.`);
    const committer = await identityOf(actor);
    const change = { from: range.to, to: range.from, onto };
    const nothing = `Nothing of it is left in ${target}.`;
    return { ...sayRevert(row), target, change, author: committer, committer, nothing };
  }

  async function planCherryPick(
    actor: Actor,
    repository: RepositoryRef,
    { number, target }: { number: number; target: string },
  ): Promise<Plan> {
    checkBranchName("target", target);
    const { row, range } = await mergedOf(repository, number);
    const onto = await tipOf(repository, target);
    if (!onto) throw unknownBranch("target", target);
    const said = sayCherryPick(row, target);
    // The merge itself is whose it is, and not one of the commits that are looked at.
    const sha = row.merge_strategy === "merge" ? row.head_sha : range.to;
    const people = { authorId: row.author_id, committerId: userIdOf(actor), message: said.message };
    const signed = await signSquash(repository, { brought: { sha, without: range.from }, ...people });
    const nothing = `The branch ${target} has these changes already.`;
    return { ...said, ...signed, target, change: { ...range, onto }, nothing };
  }

  async function commitOf(repository: RepositoryRef, { change, nothing, ...plan }: Plan): Promise<string> {
    const { message, author, committer } = plan;
    const wanted = { ...change, message, author, committer, sign: deps.signCommit };
    const place = { directory: storage.directory(repository.id) };
    const outcome = await withPatience((signal) => applyChange(git, { ...place, signal }, wanted));
    if ("commit" in outcome) return outcome.commit;
    if ("impossible" in outcome) throw conflict(nothing);
    const message409 = `The same lines were changed otherwise in ${plan.target}: do it with Git, and resolve them there.`;
    throw conflict(message409, { conflicts: outcome.conflicts });
  }

  /** Its name. */
  async function begin(
    actor: Actor,
    repository: RepositoryRef,
    { sha, branch, usual }: { sha: string; branch: string | undefined; usual: string },
  ): Promise<string> {
    const update = { before: zeroId, after: sha };
    const push = (name: string) =>
      pushes.move(repository, actor, { update: { ...update, ref: `refs/heads/${name}` } });
    if (branch !== undefined) {
      if (await tipOf(repository, branch)) throw conflict(`A branch is named ${branch} already.`);
      await push(branch);
      return branch;
    }
    for (let at = 1; at <= maxNames; at += 1) {
      const name = nameOf(usual, at);
      if (await tipOf(repository, name)) continue;
      await push(name);
      return name;
    }
    throw conflict(`Branches are named ${usual} already, with numbers too: name another one.`);
  }

  async function propose(
    actor: Actor,
    granted: GrantedRepository,
    { branch, sha, plan }: { branch: string; sha: string; plan: Plan },
  ) {
    const { title, description, target } = plan;
    const wanted = { title, description, source_branch: branch, target_branch: target };
    return deps.create(actor, granted, wanted).catch(async (error: unknown) => {
      // A branch that nobody has asked for by itself does not stay. Where it cannot go, it does.
      const update = { ref: `refs/heads/${branch}`, before: sha, after: zeroId };
      await pushes.move(granted.repository, actor, { update }).catch(() => undefined);
      throw error;
    });
  }

  async function carryOut(
    actor: Actor,
    granted: GrantedRepository,
    { plan, named }: { plan: Plan; named: Named },
  ) {
    requirePushScope(actor);
    const { repository } = granted;
    const sha = await commitOf(repository, plan);
    const branch = await begin(actor, repository, { sha, branch: named.branch, usual: plan.branch });
    const isProposed = named.create_merge_request;
    return {
      branch,
      branch_url: repositoryAddress(deps.addresses, repository).api("branches", branch),
      sha,
      merge_request: isProposed ? await propose(actor, granted, { branch, sha, plan }) : null,
    };
  }

  return {
    async revert(actor, granted, { number, ...named }) {
      checkNewName(named.branch);
      const plan = await planRevert(actor, granted.repository, number);
      return carryOut(actor, granted, { plan, named });
    },
    async cherryPick(actor, granted, { number, target, ...named }) {
      checkNewName(named.branch);
      const plan = await planCherryPick(actor, granted.repository, { number, target });
      return carryOut(actor, granted, { plan, named });
    },
  };
}

/** Throws `validation_failed`. */
function checkNewName(branch: string | undefined): void {
  const problem = branch === undefined ? undefined : refProblem(`refs/heads/${branch}`);
  if (problem !== undefined) throw invalidField("branch", "invalid", `As a name of a branch: ${problem}.`);
}
