/**
 * The work of one sync: lists what the source has, fetches what is new into a scratch repository, has it judged as a push, and moves
 * all refs at once. Safe to cut off anywhere and to begin again.
 */
import { crashPoint } from "../../../platform/crash-point.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { GitError } from "../../../platform/git/processes/run-git.ts";
import { fetchRefs, type FetchLimits } from "../../../platform/git/remote/fetch-refs.ts";
import { listRemoteRefs, type RemoteRefs } from "../../../platform/git/remote/list-remote-refs.ts";
import type { Remote } from "../../../platform/git/remote/open-remote.ts";
import {
  dropScratchRepository,
  enterScratchRepository,
  type ScratchRepository,
} from "../../../platform/git/remote/scratch-repository.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { allRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { refProblem, type ExamineContent, type Mirroring, type PushService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LfsObject } from "./lfs-server.ts";
import type { KeptObjects } from "./kept-objects.ts";
import { listChanges } from "./list-changes.ts";
import { inSteps, planChanges, type RefPlan } from "./plan-changes.ts";
import { createRefFilter } from "./ref-patterns.ts";
import { RemoteProblem } from "./sync-problem.ts";
import type { Outcome, Progress } from "./syncs.store.ts";

export interface SourceTaking {
  repository: RepositoryRef;
  mirror: { refs: readonly string[]; prune: boolean; replaces: boolean };
  remote: Remote;
  signal: AbortSignal;
  progress(progress: Partial<Progress>): void;
  /** To be called with what is about to change, before it does. */
  plan(changes: Pick<Outcome, "changedRefs" | "refs">): Promise<void>;
  /** Takes large files that the repository does not have; returns how many, and what was left out. */
  takeLfs(largeFiles: readonly LfsObject[]): Promise<{ objects: number; notes: string[] }>;
  /** Files of before may lack large files. */
  needsLfs: boolean;
}

export interface TakeSourceDeps {
  git: Git;
  storage: RepositoryStorage;
  pushes: PushService;
  mirroring: Mirroring;
  kept: KeptObjects;
  examineContent: ExamineContent;
  limits: FetchLimits;
}

const scratchName = "mirror";
/** About as many as a push can have. */
const maxRefs = 70_000;
/** Refs that are fetched at a time by a first sync, so that one that is cut off does not begin anew. */
const partSize = 1_000;

/** Throws what `problemOf` understands, and whatever is no problem of the source. */
export async function takeSource(deps: TakeSourceDeps, taking: SourceTaking): Promise<Outcome> {
  const { git, storage } = deps;
  const { repository, mirror, remote, signal } = taking;
  const directory = storage.directory(repository.id);
  const there = await listRemoteRefs(git.run, remote, { directory, signal });
  const here = await allRefs(git.start, directory);
  const rules = { follows: createRefFilter(mirror.refs), prune: mirror.prune, problemWith: refProblem };
  const plan = planChanges(here, there.refs, rules);
  const notes = [...plan.notes];
  if (plan.wanted.size > maxRefs)
    throw new RemoteProblem(`The source has ${plan.wanted.size} refs, of which ${maxRefs} can be followed.`);
  if (plan.wanted.size === 0 && [...here.keys()].some(rules.follows))
    throw new RemoteProblem(
      "The source has no branch or tag that this mirror follows any more. Nothing was changed here.",
    );
  if (plan.wanted.size === 0) notes.push("The source is empty, or has nothing that this mirror follows.");
  const nothing: Outcome = { changedRefs: 0, bytes: 0, lfsObjects: 0, refs: [], notes };
  if (plan.updates.length === 0 && !taking.needsLfs) {
    await followHead(deps, repository, { there, wanted: plan.wanted });
    await dropScratchRepository(directory, scratchName);
    return nothing;
  }
  const scratch = await enterScratchRepository(git, directory, scratchName);
  if (!scratch)
    throw new AppError("unavailable", { message: "Another sync of this mirror has not ended yet." });
  let keepsScratch = false;
  try {
    const bytes = await fetchParts(deps, taking, {
      scratch,
      plan,
      head: there.head,
      isFirst: here.size === 0,
    });
    const outcome = await takeFetched(deps, taking, { scratch, here, there, rules });
    return { ...outcome, bytes, notes: [...notes, ...outcome.notes] };
  } catch (error) {
    // A connection that broke off: what has come is of use for the next sync.
    keepsScratch = error instanceof GitError && here.size === 0 && !/cannot lock ref/.test(error.stderr);
    throw error;
  } finally {
    await scratch.leave({ keep: keepsScratch });
  }
}

/** Returns the bytes that came. */
async function fetchParts(
  { git, limits }: TakeSourceDeps,
  { remote, signal, progress }: SourceTaking,
  {
    scratch,
    plan,
    head,
    isFirst,
  }: { scratch: ScratchRepository; plan: RefPlan; head: string | null; isFirst: boolean },
): Promise<number> {
  const names = plan.updates.filter(({ after }) => after !== zeroId).map(({ ref }) => ref);
  const first = isFirst && names.length > partSize && head !== null && plan.wanted.has(head) ? [head] : [];
  const rest = names.filter((name) => !first.includes(name));
  const chunks = Array.from({ length: Math.ceil(rest.length / partSize) }, (_, index) =>
    rest.slice(index * partSize, (index + 1) * partSize),
  );
  let bytes = 0;
  for (const refs of [first, ...(isFirst ? chunks : [rest])]) {
    if (refs.length === 0) continue;
    let received = 0;
    const before = bytes;
    const onProgress = (at: { bytes: number; isChecking: boolean }) => {
      received = at.bytes;
      progress({ step: at.isChecking ? "checking" : "receiving", bytes: before + received });
    };
    progress({ step: "receiving" });
    const already = await scratch.receivedBytes();
    await fetchRefs(git.start, remote, { scratch, refs, watch: { signal, limits, onProgress } });
    bytes = before + Math.max(received, (await scratch.receivedBytes()) - already);
  }
  return bytes;
}

interface Fetched {
  scratch: ScratchRepository;
  here: ReadonlyMap<string, string>;
  there: RemoteRefs;
  rules: Parameters<typeof planChanges>[2];
}

/** The source may have changed since it was listed: what was fetched counts, and nothing that was not. */
async function takeFetched(
  deps: TakeSourceDeps,
  taking: SourceTaking,
  { scratch, here, there, rules }: Fetched,
): Promise<Outcome> {
  const { git, kept, pushes } = deps;
  const { repository, mirror, progress } = taking;
  crashPoint("mirror.fetched-before-judged");
  const fetched = await scratch.fetched();
  // What the source lists and was not fetched stays as it is, and above all is not taken for deleted.
  const now = new Map(
    [...there.refs.keys()].flatMap((ref) => {
      const oid = fetched.get(ref) ?? here.get(ref);
      return oid === undefined ? [] : [[ref, oid] as const];
    }),
  );
  const { updates, wanted } = planChanges(here, now, rules);
  const quarantine = scratch.objects;
  const directory = deps.storage.directory(repository.id);
  const examined = await deps.examineContent({ directory, quarantine, everywhere: taking.needsLfs });
  const { tooLarge, largeFiles } = examined;
  progress({ step: "lfs" });
  const lfs = await taking.takeLfs(largeFiles);
  progress({ step: "moving", lfsObjects: lfs.objects });
  const refs = await listChanges(git.run, scratch.directory, updates);
  await taking.plan({ changedRefs: updates.length, refs });
  const unkept = await kept.keep(repository.id, {
    directory: scratch.directory,
    updates,
    tips: tipsAfter(here, updates),
    always: mirror.replaces,
  });
  const isDefault = ({ ref, after }: RefUpdate) =>
    after === zeroId && ref === `refs/heads/${repository.defaultBranch}`;
  const last = updates.filter(isDefault);
  for (const step of inSteps(updates.filter((update) => !isDefault(update))))
    await pushes.take(repository, { updates: step, quarantine, tooLarge });
  const followed = await followHead(deps, repository, { there, wanted });
  const notes = [...lfs.notes, ...(unkept > 0 ? [`${unkept} commits that were replaced are not kept.`] : [])];
  if (last.length > 0 && followed.defaultBranch !== repository.defaultBranch)
    await pushes.take(followed, { updates: last, quarantine, tooLarge });
  else if (last.length > 0)
    notes.push(`${repository.defaultBranch} was deleted there, but stays: it is the default branch.`);
  return { changedRefs: updates.length, bytes: 0, lfsObjects: lfs.objects, refs, notes };
}

function tipsAfter(here: ReadonlyMap<string, string>, updates: readonly RefUpdate[]): Set<string> {
  const refs = new Map([...here, ...updates.map(({ ref, after }) => [ref, after] as const)]);
  return new Set([...refs.values()].filter((oid) => oid !== zeroId));
}

/** The branch that the source's HEAD names becomes the default one, where it is followed. Returns the repository as it is then. */
async function followHead(
  { mirroring }: TakeSourceDeps,
  repository: RepositoryRef,
  { there, wanted }: { there: RemoteRefs; wanted: ReadonlyMap<string, string> },
): Promise<RepositoryRef> {
  const { head } = there;
  if (head === null || !wanted.has(head) || !head.startsWith("refs/heads/")) return repository;
  const branch = head.slice("refs/heads/".length);
  if (branch === repository.defaultBranch) return repository;
  // Its first branch may have become the default one meanwhile.
  const present = (await mirroring.find(repository.id)) ?? repository;
  await mirroring.followDefaultBranch(present, branch);
  return (await mirroring.find(repository.id)) ?? repository;
}
