/** Conflicts of merge requests: which files, which lines, and the commit that resolves them on the source branch. */
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type {
  ConflictsResolve,
  MergeConflictFile,
  MergeConflicts,
} from "@forgeline/schemas/conflicts/resource.ts";
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { withCombinedObjects, placeIn } from "../../../platform/git/merging/combined-objects.ts";
import { listConflicts } from "../../../platform/git/merging/list-conflicts.ts";
import { resolveConflicts } from "../../../platform/git/merging/resolve-conflicts.ts";
import { ObjectsRefused } from "../../../platform/git/objects/write-commit.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { CommitService } from "../../hosting/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { MergeRequestService } from "../merge-requests/service.ts";
import type { SourceBranches, SourceTip } from "../merge-requests/source-branch.ts";
import type { Sides } from "./describe.ts";
import { readConflictFile, readConflicts } from "./read-conflicts.ts";
import { areSame, resolutionOf } from "./resolution.ts";

type Wanted = ConflictsResolve & { number: number };

export interface ConflictService {
  /** Throws `not_found`, `conflict` where the branches cannot be merged at all, and `unavailable` where that takes too long. */
  list(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeConflicts>;
  /** As `list`; also throws `not_found` where the file does not conflict. */
  get(
    actor: Actor,
    granted: GrantedRepository,
    wanted: { number: number; path: string },
  ): Promise<MergeConflictFile>;
  /**
   * The commit. Throws `not_found`; `forbidden` without Write on the repository of the source branch; `conflict` where the branches are not
   * those that were seen; `validation_failed` for what does not fit; and what a push is refused with.
   */
  resolve(actor: Actor, granted: GrantedRepository, wanted: Wanted): Promise<Commit>;
}

export interface ConflictServiceDeps extends Pick<Platform, "git" | "storage" | "files" | "history"> {
  users: { get(id: string): Promise<UserRow> };
  commits: Pick<CommitService, "show">;
  signCommit: SignCommit;
  mergeRequests: Pick<MergeRequestService, "get">;
  sourceBranches: Pick<SourceBranches, "see" | "find" | "bring" | "push">;
}

/** For a request. */
const patienceMs = 120_000;

export function createConflictService(deps: ConflictServiceDeps): ConflictService {
  const { git, storage, files, sourceBranches } = deps;

  async function tipOf(repositoryId: string, branch: string): Promise<string> {
    const found = await files.resolveRef(repositoryId, `refs/heads/${branch}`);
    if (!found) throw conflict(`The branch ${branch} does not exist any more.`);
    return found.sha;
  }

  async function refuseUnrelated(repositoryId: string, { ours, theirs }: Sides): Promise<void> {
    const base = await deps.history.mergeBase(repositoryId, theirs, ours);
    if (base === undefined) throw conflict("The branches share no history, so they cannot be merged.");
  }

  /** What is merged is in the repository: of a source elsewhere, the head that has come over. */
  async function sidesOf({ repository }: GrantedRepository, found: MergeRequest): Promise<Sides> {
    const isHere = found.source_repo?.id === repository.id;
    const ours = isHere ? await tipOf(repository.id, found.source_branch) : found.head_sha;
    const sides = { ours, theirs: await tipOf(repository.id, found.target_branch) };
    await refuseUnrelated(repository.id, sides);
    return sides;
  }

  function inPlace<Result>({ repository }: GrantedRepository, work: InPlace<Result>): Promise<Result> {
    const directory = storage.directory(repository.id);
    return patiently((signal) =>
      withCombinedObjects({ directory, other: directory }, (combined) =>
        work({ runGit: git.run, place: placeIn(combined, signal), scratch: combined.made }),
      ),
    );
  }

  /** Others may conflict since somebody has looked: then what they wrote is no answer any more. */
  async function refuseOthers({ repository, sha }: SourceTip, wanted: Wanted, target: string) {
    const { target_sha: seen } = wanted;
    const directory = storage.directory(repository.id);
    const step = { directory, quarantine: null, before: seen, after: target };
    if (!(await isAncestor(git.run, step))) throw conflict(othersText);
    const [before, now] = await patiently((signal) =>
      withCombinedObjects({ directory, other: directory }, async (combined) => {
        const place = placeIn(combined, signal);
        const of = (theirs: string) => listConflicts(git.run, place, { ours: sha, theirs });
        return [await of(seen), await of(target)];
      }),
    );
    if (now!.conflicts.length > 0 && !areSame(before!.conflicts, now!.conflicts)) throw conflict(othersText);
  }

  async function write(actor: Actor, tip: SourceTip, made: { wanted: Wanted; target: Target }) {
    const { wanted, target } = made;
    const committer = commitIdentity(await deps.users.get(userIdOf(actor)));
    const sides = { ours: tip.sha, theirs: target.sha };
    const into = tip.ref.slice("refs/heads/".length);
    const message = wanted.commit_message ?? `Merge branch '${target.branch}' into ${into}`;
    const directory = storage.directory(tip.repository.id);
    const merge = {
      ...sides,
      message,
      committer,
      sign: deps.signCommit,
      resolve: (conflicts: Parameters<typeof resolutionOf>[0]) => resolutionOf(conflicts, sides, wanted),
    };
    return patiently((signal) => resolveConflicts(git, { directory, signal }, merge).catch(refuseContents));
  }

  return {
    async list(actor, granted, number) {
      const found = await deps.mergeRequests.get(actor, granted, number);
      const { head_sha, base_sha: target_sha } = found;
      const ended = { head_sha, target_sha, files: [], truncated: false, viewer_may: { resolve: false } };
      if (found.state !== "open") return ended;
      const sides = await sidesOf(granted, found);
      const read = await inPlace(granted, (place) => readConflicts(place, sides));
      const source = await sourceBranches.see(actor, granted, found);
      const viewer_may = { resolve: source?.mayPush ?? false };
      return { head_sha: sides.ours, target_sha: sides.theirs, ...read, viewer_may };
    },
    async get(actor, granted, { number, path }) {
      const found = await deps.mergeRequests.get(actor, granted, number);
      if (found.state !== "open") throw new AppError("not_found");
      const sides = await sidesOf(granted, found);
      const names = { source: found.source_branch, target: found.target_branch };
      const read = await inPlace(granted, (place) => readConflictFile(place, sides, { path, names }));
      if (!read) throw new AppError("not_found");
      return { ...read, head_sha: sides.ours, target_sha: sides.theirs };
    },
    async resolve(actor, granted, wanted) {
      const found = await deps.mergeRequests.get(actor, granted, wanted.number);
      const tip = await sourceBranches.find(actor, granted, found);
      if (tip.sha !== wanted.head_sha) throw conflict(movedText(tip.sha));
      const { target_branch: branch } = found;
      const target = { branch, sha: await tipOf(granted.repository.id, branch) };
      await patiently((signal) =>
        sourceBranches.bring(actor, tip, { target: granted.repository, commit: target.sha, signal }),
      );
      await refuseUnrelated(tip.repository.id, { ours: tip.sha, theirs: target.sha });
      if (target.sha !== wanted.target_sha) await refuseOthers(tip, wanted, target.sha);
      const sha = await write(actor, tip, { wanted, target });
      if (!(await sourceBranches.push(actor, tip, sha))) throw conflict(movedText());
      const [commit] = await deps.commits.show(tip.repository, [sha]);
      if (!commit) throw new AppError("not_found");
      return commit;
    },
  };
}

interface Target {
  branch: string;
  sha: string;
}

type InPlace<Result> = (place: Parameters<typeof readConflicts>[0]) => Promise<Result>;

async function patiently<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(patienceMs);
  return work(signal).catch((error: unknown) => {
    throw signal.aborted ? new AppError("unavailable", { message: tooLongText, cause: error }) : error;
  });
}

/** Everything else was checked before, so it is what is in the files that Git refuses. */
function refuseContents(error: unknown): never {
  throw error instanceof ObjectsRefused ? invalidField("files", "refused", error.message) : error;
}

const tooLongText = "Merging these branches takes too long here: resolve the conflicts with Git, and push.";
const othersText =
  "The target branch has moved, and the conflicts are others now: look at them again, and resolve those.";
const movedText = (sha?: string) =>
  `The source branch ${sha === undefined ? "has just moved" : `is at ${sha.slice(0, 12)} now`}: look at the conflicts again, and resolve those that are left.`;

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}
