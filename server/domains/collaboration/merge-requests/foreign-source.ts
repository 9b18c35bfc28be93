/**
 * Brings what a merge request from another repository proposes into the repository that shall get it, so that everything afterwards
 * works on objects that are there: one branch, when it is proposed, and again after each push to it, as long as the author may show it.
 */
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { basesAcross } from "../../../platform/git/merging/bases-across.ts";
import { bringCommit, TooMuchToBring } from "../../../platform/git/merging/bring-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import { actingFor, type UserRow } from "../../accounts/domain.ts";
import type { Bringers, StorageService, Upstreams } from "../../hosting/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { checkBranchName, commonBase, unknownBranch, type Branches, type BranchPair } from "./branches.ts";
import { placeActor, type MergeRequestChanges } from "./changes.ts";
import * as store from "./foreign.store.ts";
import { bringLargeFiles, type LargeFilesDeps } from "./large-files.ts";
import type { Compared } from "./merge-requests.store.ts";
import { isNarrower } from "./visibility.ts";

export interface ForeignSources {
  /**
   * Has the source branch, as it is now, in the target; what cannot be merged does not come. Throws `validation_failed`,
   * `quota_exceeded` where it is too large for the target, or for somebody without Write there, and `unavailable` where it takes too long.
   */
  bring(target: GrantedRepository, sourceId: string, pair: BranchPair): Promise<Compared>;
  /**
   * What was pushed since. `moved`: the merge request has a new head, and is to be compared again. `lost`: the branch is gone.
   * `same`: the head counts that it has; also where the repository is gone, or what is there may not come. `later`: who pushed is not
   * recorded yet.
   */
  follow(check: Followed, signal: AbortSignal): Promise<"moved" | "lost" | "same" | "later">;
  /** Whether the branch can be taken up again; true where its repository is gone. */
  hasBranch(id: string): Promise<boolean>;
  /** Takes large files that the commits stand for; none, where nothing may come any more. Throws `quota_exceeded`. */
  takeLargeFiles(actor: Actor, row: LargeFilesOf, compared: Pick<Compared, "head" | "target">): Promise<void>;
}

/** A comparison that is due. */
export interface Followed {
  id: string;
  repository_id: string;
  number: number | null;
  source_repository_id: string | null;
  head_sha: string;
  target_branch: string;
}

type LargeFilesOf = Pick<Followed, "id">;

export interface ForeignSourcesDeps extends Pick<Platform, "git">, LargeFilesDeps {
  db: Database;
  branches: Branches;
  changes: MergeRequestChanges;
  upstreams: Pick<Upstreams, "see">;
  users: { getMany(ids: readonly string[]): Promise<Map<string, UserRow>> };
  storageUse: Pick<StorageService, "roomOf">;
  storageMeter: { mark(db: Database, repositoryId: string): Promise<void> };
  bringers: Bringers;
}

/** For a request. */
const patienceMs = 60_000;
/** In the background, where others wait behind it; then it is tried again. */
const followMs = 4 * 60_000;
const tooLongText = "Taking over these commits takes too long just now: try again in a few minutes.";
const tooLargeText = "These commits would make the repository larger than it may be.";

/** Of the room that is left: strangers must not fill a repository with what nobody there has asked for. */
const strangersShare = 0.1;

/** `into` and `from` are repositories. */
interface Taken {
  into: string;
  from: string;
  commit: string;
  /** Of whoever proposes it, in the first one. */
  level: RepositoryLevel;
  /** Commits that the first one has. */
  has: string[];
}

export function createForeignSources(deps: ForeignSourcesDeps): ForeignSources {
  const { db, git, storage, branches, changes } = deps;

  const tipIn = async (repositoryId: string, branch: string) =>
    (await branches.tips(repositoryId, { source: branch, target: branch })).target;

  async function take({ from, into, commit, level, has }: Taken, signal: AbortSignal): Promise<void> {
    const room = await deps.storageUse.roomOf(into);
    const maxBytes = levelCovers(level, "write") ? room : Math.floor(room * strangersShare);
    if (maxBytes <= 0) throw new TooMuchToBring(undefined);
    const places = { directory: storage.directory(into), from: storage.directory(from) };
    await bringCommit(git, { ...places, commit, has, maxBytes, signal });
    await deps.storageMeter.mark(db, into);
  }

  /** What the author may do here; otherwise why nothing may come any more. */
  async function levelOrProblem(
    source: store.ForeignSource,
  ): Promise<{ level: RepositoryLevel } | { problem: store.SourceProblem }> {
    const author = source.author_id && (await deps.users.getMany([source.author_id])).get(source.author_id);
    const actor = author ? actingFor(author) : undefined;
    if (!actor || source.source_repository_id === null) return { problem: "access" };
    const [there, here] = await Promise.all([
      deps.upstreams.see(source.source_repository_id, actor),
      deps.upstreams.see(source.repository_id, actor),
    ]);
    if (!here || !there || !levelCovers(there.level, "write")) return { problem: "access" };
    if (isNarrower(source.visibility, source.source_visibility)) return { problem: "visibility" };
    return { level: here.level };
  }

  /** False where it may not come. */
  async function takeNew(
    source: store.ForeignSource,
    taken: Omit<Taken, "level">,
    signal: AbortSignal,
  ): Promise<boolean> {
    const may = await levelOrProblem(source);
    let problem = "problem" in may ? may.problem : null;
    if (!("problem" in may))
      await take({ ...taken, level: may.level }, signal).catch((error: unknown) => {
        if (!(error instanceof TooMuchToBring)) throw error;
        problem = "size";
      });
    await store.noteProblem(db, source.id, problem);
    return problem === null;
  }

  return {
    async bring({ repository: { id: into }, level }, from, pair) {
      checkBranchName("source_branch", pair.source);
      checkBranchName("target_branch", pair.target);
      const [head, target] = await Promise.all([tipIn(from, pair.source), tipIn(into, pair.target)]);
      if (!head) throw unknownBranch("source_branch", pair.source);
      if (!target) throw unknownBranch("target_branch", pair.target);
      const places = { directory: storage.directory(into), from: storage.directory(from) };
      const [common] = await basesAcross(git.run, { ...places, here: target, there: head });
      const base = commonBase(pair, head, common);
      const signal = AbortSignal.timeout(patienceMs);
      await take({ into, from, commit: head, level, has: [target] }, signal).catch((error: unknown) => {
        if (error instanceof TooMuchToBring) throw new AppError("quota_exceeded", { message: tooLargeText });
        throw signal.aborted ? new AppError("unavailable", { message: tooLongText, cause: error }) : error;
      });
      return { head, target, base };
    },
    async follow(check, signal) {
      const source = await store.findSource(db, check.id);
      if (!source || source.source_repository_id === null) return "same";
      const tip = await tipIn(source.source_repository_id, source.source_branch);
      if (tip === undefined) return "lost";
      if (tip === check.head_sha) {
        await store.noteProblem(db, check.id, null);
        return "same";
      }
      const { repository_id: into, source_repository_id: from } = source;
      const ref = `refs/heads/${source.source_branch}`;
      const bringerId = await deps.bringers.find(db, { repositoryId: from, ref, sha: tip });
      if (bringerId === undefined) return "later";
      // Both are kept by refs, so the repository has them.
      const target = await tipIn(into, check.target_branch);
      const taken = { into, from, commit: tip, has: [check.head_sha, ...(target ? [target] : [])] };
      const patience = AbortSignal.any([signal, AbortSignal.timeout(followMs)]);
      if (!(await takeNew(source, taken, patience))) return "same";
      const actor = placeActor(bringerId);
      const hasMoved = await db.transaction(async (tx) => {
        const item = await changes.lock(tx, check.repository_id, check.number ?? 0);
        if (item.state !== "open") return false;
        await changes.synchronize(tx, { item, actor }, { from: check.head_sha, to: tip });
        return true;
      });
      if (hasMoved) await branches.keepHead(check.repository_id, check.number ?? 0, tip);
      return "moved";
    },
    async hasBranch(id) {
      const source = await store.findSource(db, id);
      if (!source || source.source_repository_id === null) return true;
      return (await tipIn(source.source_repository_id, source.source_branch)) !== undefined;
    },
    async takeLargeFiles(actor, { id }, { head, target }) {
      const source = await store.findSource(db, id);
      if (!source || source.source_repository_id === null) return;
      if ("problem" in (await levelOrProblem(source))) return;
      const { repository_id: into, source_repository_id: from } = source;
      await bringLargeFiles(deps, { from, into, commit: head, without: [target], userId: actor.userId });
    },
  };
}
