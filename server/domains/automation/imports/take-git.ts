/**
 * Brings branches, tags and the heads of merge requests, by the way of mirrors: fetched into a scratch repository, judged as a push. Safe
 * to cut off anywhere and to begin again.
 */
import { AppError } from "../../../platform/app-error.ts";
import { movePacks } from "../../../platform/git/objects/move-packs.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { mergeRequestRefs, zeroId } from "../../../platform/git/refs/names.ts";
import { allRefs, readRefs, syncRefs } from "../../../platform/git/refs/refs.ts";
import { fetchRefs, type FetchLimits } from "../../../platform/git/remote/fetch-refs.ts";
import { listRemoteRefs } from "../../../platform/git/remote/list-remote-refs.ts";
import type { Remote } from "../../../platform/git/remote/open-remote.ts";
import {
  enterScratchRepository,
  type ScratchRepository,
} from "../../../platform/git/remote/scratch-repository.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { refProblem, type ExamineContent, type Mirroring, type PushService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LfsObject } from "../mirrors/lfs-server.ts";
import { inSteps } from "../mirrors/plan-changes.ts";
import type { Note } from "./imports.store.ts";
import { SourceProblem } from "./source-problem.ts";

export interface TakeGitDeps {
  git: Git;
  storage: RepositoryStorage;
  pushes: Pick<PushService, "take">;
  mirroring: Mirroring;
  examineContent: ExamineContent;
  limits: FetchLimits;
}

export interface GitTaking {
  repository: RepositoryRef;
  remote: Remote;
  signal: AbortSignal;
  /** The number here of the merge request whose head a ref keeps; undefined for other refs. */
  numberOf(ref: string): number | undefined;
  /** Brings Git LFS objects; gives what did not come. */
  takeLarge(objects: readonly LfsObject[]): Promise<Note[]>;
  /** What HEAD names there, where Git cannot tell. */
  head: string | null;
  /** People could write to it since an earlier attempt: what is here stays as it is. */
  wasWritable: boolean;
}

const scratchName = "import";
/** About as many as a push can have. */
const maxRefs = 70_000;
const partSize = 1_000;

/** What was left out. Throws what `problemOf` of mirrors understands, and `SourceProblem`. */
export async function takeGit(deps: TakeGitDeps, taking: GitTaking): Promise<Note[]> {
  const { git, storage } = deps;
  const { repository, remote, signal, numberOf } = taking;
  const directory = storage.directory(repository.id);
  const there = await listRemoteRefs(git.run, remote, { directory, signal });
  const { wanted, heads, notes } = chooseRefs([...there.refs.keys()], numberOf);
  if (wanted.length > maxRefs)
    throw new SourceProblem(`The repository has more than ${maxRefs} branches and tags.`);
  if (wanted.length === 0) return notes;
  const refs = [...wanted, ...takeHeads(heads, { most: maxRefs - wanted.length, notes })];
  const scratch = await enterScratchRepository(git, directory, scratchName);
  if (!scratch)
    throw new AppError("unavailable", { message: "Another part of this import has not ended yet." });
  try {
    await fetchAll(deps, taking, { scratch, refs });
    notes.push(...(await takeFetched(deps, taking, { scratch, wanted, heads })));
  } finally {
    await scratch.leave({ keep: false });
  }
  await followHead(deps, repository, there.head ?? taking.head);
  return notes;
}

interface Chosen {
  wanted: string[];
  /** Of merge requests, by ref there: their number here. */
  heads: Map<string, number>;
  notes: Note[];
}

function chooseRefs(refs: readonly string[], numberOf: GitTaking["numberOf"]): Chosen {
  const chosen: Chosen = { wanted: [], heads: new Map(), notes: [] };
  for (const ref of refs) {
    const number = numberOf(ref);
    if (number !== undefined) chosen.heads.set(ref, number);
    if (!/^refs\/(?:heads|tags)\//.test(ref)) continue;
    const problem = refProblem(ref);
    if (problem === undefined) chosen.wanted.push(ref);
    else
      chosen.notes.push({ kind: "ref", source: ref.slice(0, 200), reason: `It was left out: ${problem}.` });
  }
  return chosen;
}

/** The newest that there is room for beside branches and tags; the rest is dropped from `heads`, and noted. Exported for its test. */
export function takeHeads(
  heads: Map<string, number>,
  { most, notes }: { most: number; notes: Note[] },
): string[] {
  const newest = [...heads].toSorted(([, a], [, b]) => b - a);
  for (const [ref] of newest.slice(most)) heads.delete(ref);
  if (newest.length > most)
    notes.push({ kind: "ref", source: "heads of merge requests", reason: tooMany(newest.length - most) });
  return [...heads.keys()];
}

const tooMany = (count: number) =>
  `The ${count} oldest were left out, so changes whose commits are nowhere else cannot be shown.`;

async function fetchAll(
  { git, limits }: TakeGitDeps,
  { remote, signal }: GitTaking,
  { scratch, refs }: { scratch: ScratchRepository; refs: readonly string[] },
): Promise<void> {
  for (let at = 0; at < refs.length; at += partSize)
    await fetchRefs(git.start, remote, {
      scratch,
      refs: refs.slice(at, at + partSize),
      watch: { signal, limits, onProgress: () => undefined },
    });
}

async function takeFetched(
  { git, storage, pushes, examineContent }: TakeGitDeps,
  { repository, wasWritable, takeLarge }: GitTaking,
  { scratch, wanted, heads }: Omit<Chosen, "notes"> & { scratch: ScratchRepository },
): Promise<Note[]> {
  const directory = storage.directory(repository.id);
  const [here, fetched] = await Promise.all([allRefs(git.start, directory), scratch.fetched()]);
  const quarantine = scratch.objects;
  // Where this step was cut off before, files that are here already may still lack theirs.
  const everywhere = here.size > 0;
  const { tooLarge, largeFiles } = await examineContent({ directory, quarantine, everywhere });
  const lost = largeFiles.length === 0 ? [] : await takeLarge(largeFiles);
  const changed = wanted.flatMap((ref) => {
    const after = fetched.get(ref);
    const before = here.get(ref) ?? zeroId;
    return after === undefined || after === before ? [] : [{ ref, before, after }];
  });
  const stays = ({ before }: { before: string }) => wasWritable && before !== zeroId;
  const updates = changed.filter((update) => !stays(update));
  const others = changed
    .filter(stays)
    .map(({ ref }): Note => ({ kind: "ref", source: ref.slice(0, 200), reason: differs }));
  for (const step of inSteps(updates)) await pushes.take(repository, { updates: step, quarantine, tooLarge });
  // Where no branch moved, heads of merge requests may still be new.
  await movePacks(quarantine, directory);
  await keepHeads(git, directory, await headsToKeep(git, directory, { heads, fetched, wasWritable }));
  return [...lost, ...others];
}

const differs = "It is at another commit there; what is here stayed as it is.";

async function headsToKeep(
  git: Git,
  directory: string,
  { heads, fetched, wasWritable }: Pick<Chosen, "heads"> & Pick<GitTaking, "wasWritable"> & Fetched,
): Promise<{ ref: string; oid: string }[]> {
  const there = [...heads].flatMap(([source, number]) => {
    const oid = fetched.get(source);
    return oid === undefined ? [] : [{ ref: `${mergeRequestRefs}/${number}/head`, oid }];
  });
  if (!wasWritable) return there;
  const names = there.map(({ ref }) => ref);
  const here = await readRefs(git.run, directory, names);
  return there.filter(({ ref }) => here.get(ref) === zeroId);
}

interface Fetched {
  fetched: ReadonlyMap<string, string>;
}

async function keepHeads(
  git: Git,
  directory: string,
  kept: readonly { ref: string; oid: string }[],
): Promise<void> {
  if (kept.length === 0) return;
  const input = kept.map(({ ref, oid }) => `update ${ref} ${oid}\n`).join("");
  await git.run({ directory, args: ["update-ref", "--no-deref", "--stdin"], input, timeoutMs: 600_000 });
  await syncRefs(
    directory,
    kept.map(({ ref }) => ref),
  );
}

/** The default branch there becomes the default one here. */
async function followHead(
  { mirroring }: TakeGitDeps,
  { id }: RepositoryRef,
  head: string | null,
): Promise<void> {
  const present = await mirroring.find(id);
  if (present && head?.startsWith("refs/heads/"))
    await mirroring.followDefaultBranch(present, head.slice("refs/heads/".length));
}

/** Branches for merge requests whose own ones are elsewhere; what is there already stays. */
export async function addBranches(
  { git, storage, pushes }: Pick<TakeGitDeps, "git" | "storage" | "pushes">,
  repository: RepositoryRef,
  branches: readonly { name: string; oid: string }[],
): Promise<void> {
  if (branches.length === 0) return;
  const directory = storage.directory(repository.id);
  const scratch = await enterScratchRepository(git, directory, scratchName);
  if (!scratch)
    throw new AppError("unavailable", { message: "Another part of this import has not ended yet." });
  try {
    const updates = branches.map(({ name, oid }) => ({
      ref: `refs/heads/${name}`,
      before: zeroId,
      after: oid,
    }));
    await pushes.take(repository, { updates, quarantine: scratch.objects, tooLarge: new Map() });
  } finally {
    await scratch.leave({ keep: false });
  }
}
