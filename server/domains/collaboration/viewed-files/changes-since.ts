/**
 * What a merge request changes in another way than when somebody looked at it. After a rebase the old head stands on an old state of
 * the target branch: its changes are brought to the new one first, so that only what the author did shows.
 */
import type { FileDiff } from "@forgeline/schemas/commits/resource.ts";
import type { ChangesQuery, PatchQuery } from "@forgeline/schemas/commits/routes.ts";
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import type { ChangesSince } from "@forgeline/schemas/viewed-files/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { createBoundedCache } from "../../../platform/bounded-cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { carryOver, type CarriedBranch } from "../../../platform/git/merging/carry-over.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { Platform } from "../../../platform/platform.ts";
import {
  repositoryAddress,
  type ChangedFiles,
  type ChangedFilesPage,
  type ShownRange,
} from "../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import type { MergeRequestService } from "../merge-requests/service.ts";
import type { Heads } from "./heads.ts";
import { findLastReview, findLook, hasSeen } from "./viewed-files.store.ts";

/** `since`: `last_look`, `last_review`, or a full id. */
interface Since {
  number: number;
  since: string;
}

/** Each throws `not_found`, also for a commit that the merge request does not have, and that the actor has not seen before. */
export interface ChangesSinceService {
  get(actor: Actor, granted: GrantedRepository, wanted: Since): Promise<ChangesSince>;
  /** Throws `conflict` where there is nothing to compare with. */
  files(
    actor: Actor,
    granted: GrantedRepository,
    wanted: Since & ChangesQuery & { revalidate: Revalidate },
  ): Promise<ChangedFilesPage>;
  /** As `files`; also throws `not_found` for a path that is not in that list. */
  patch(actor: Actor, granted: GrantedRepository, wanted: Since & PatchQuery): Promise<FileDiff>;
}

export interface ChangesSinceDeps extends Pick<Platform, "git" | "storage" | "history"> {
  db: Database;
  addresses: Addresses;
  heads: Heads;
  mergeRequests: Pick<MergeRequestService, "get">;
  changedFiles: Pick<ChangedFiles, "listBetween" | "patchBetween">;
}

type Compared = ChangesSince & {
  /** A commit to compare the head with; null where there is none. */
  before: string | null;
};

/** For a request; without an answer by then, all differences show. */
const patienceMs = 20_000;
const maxCarried = 2_000;
const bytesOfCarried = 300;

export function createChangesSince(deps: ChangesSinceDeps): ChangesSinceService {
  const { db, git, history, heads } = deps;
  const carried = createBoundedCache<string | undefined>({
    maxEntries: maxCarried,
    maxBytes: maxCarried * bytesOfCarried,
    bytesOf: () => bytesOfCarried,
  });

  async function shaOf(
    actor: Actor,
    { repository }: GrantedRepository,
    { found, since }: { found: MergeRequest; since: string },
  ): Promise<string | undefined> {
    const reader = { id: found.id, userId: userIdOf(actor) };
    if (since === "last_look") return findLook(db, reader);
    if (since === "last_review") return findLastReview(db, reader);
    const maySee = (await heads.has(repository, found, since)) || (await hasSeen(db, reader, since));
    if (!maySee) throw new AppError("not_found");
    return since;
  }

  async function carry(repository: RepositoryRef, branch: CarriedBranch): Promise<string | undefined> {
    const signal = AbortSignal.timeout(patienceMs);
    const place = { directory: deps.storage.directory(repository.id), signal };
    const make = () => carryOver(git, place, branch);
    const commit = await carried
      .get(`${repository.id} ${branch.head} ${branch.onto}`, make)
      .catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
    const isThere = commit === undefined || (await heads.treeOf(repository, commit)) !== undefined;
    return isThere ? commit : make();
  }

  /** What the head is compared with, and whether only changes of its own then show. */
  async function startOf(repository: RepositoryRef, found: MergeRequest, since: string) {
    const { base_sha: target, merge_base_sha: onto } = found;
    const base = await history.mergeBase(repository.id, target, since);
    if (base === undefined || onto === null || base === onto) return { before: since, exact: base === onto };
    const commit = await carry(repository, { head: since, onto });
    return commit === undefined ? { before: since, exact: false } : { before: commit, exact: true };
  }

  async function compare(repository: RepositoryRef, found: MergeRequest, since?: string): Promise<Compared> {
    const { head_sha: head } = found;
    const shown = { since_sha: since ?? null, head_sha: head, exact: true, before: null };
    if (since === undefined) return { ...shown, status: "none" };
    if (since === head) return { ...shown, status: "unchanged", before: head };
    if ((await heads.treeOf(repository, since)) === undefined) return { ...shown, status: "gone" };
    const start = await startOf(repository, found, since);
    const [then, now] = await Promise.all([
      heads.treeOf(repository, start.before),
      heads.treeOf(repository, head),
    ]);
    if (then === now) return { ...shown, before: start.before, status: "unchanged" };
    return { ...shown, ...start, status: "changed" };
  }

  async function comparedFor(actor: Actor, granted: GrantedRepository, { number, since }: Since) {
    const found = await deps.mergeRequests.get(actor, granted, number);
    return compare(granted.repository, found, await shaOf(actor, granted, { found, since }));
  }

  async function rangeFor(
    actor: Actor,
    granted: GrantedRepository,
    wanted: Since & Pick<PatchQuery, "whitespace">,
  ): Promise<ShownRange> {
    const { repository } = granted;
    const { before, status, since_sha: since, head_sha: after } = await comparedFor(actor, granted, wanted);
    if (before === null || since === null)
      throw new AppError("conflict", { message: status === "gone" ? goneText : neverText });
    const address = repositoryAddress(deps.addresses, repository);
    // What no branch reaches cannot be read by its own address.
    const step = { directory: deps.storage.directory(repository.id), quarantine: null };
    const isReachable = await isAncestor(git.run, { ...step, before, after });
    const patch = address.api("merge-requests", String(wanted.number), "changes-since", "patch");
    const more = wanted.whitespace === "ignore" ? "&whitespace=ignore" : "";
    return {
      before,
      after,
      addresses: {
        patch: (path) => `${patch}?since=${since}&path=${encodeURIComponent(path)}${more}`,
        raw: (sha, path) =>
          sha === before && !isReachable ? null : address.api("raw", sha, ...path.split("/")),
      },
    };
  }

  return {
    async get(actor, granted, wanted) {
      const { before: _, ...shown } = await comparedFor(actor, granted, wanted);
      return shown;
    },
    async files(actor, granted, { revalidate, ...wanted }) {
      const range = await rangeFor(actor, granted, wanted);
      revalidate(`${range.before} ${range.after}`);
      return deps.changedFiles.listBetween(granted.repository, range, wanted);
    },
    async patch(actor, granted, wanted) {
      return deps.changedFiles.patchBetween(
        granted.repository,
        await rangeFor(actor, granted, wanted),
        wanted,
      );
    },
  };
}

const neverText = "There is nothing to compare with: you have not looked at it yet, or not reviewed it.";
const goneText = "The commit that you saw is not kept any more: look at all changes.";
