/** What Git knows of merge requests that come from elsewhere: which of their commits are here, and where they began. */
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { mergeRequestRefs, zeroId } from "../../../platform/git/refs/names.ts";
import { allRefs, missingObjects, readRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { SourceMergeRequest } from "./source-item.ts";
import { addBranches, type TakeGitDeps } from "./take-git.ts";

export interface GitFactsDeps extends Pick<TakeGitDeps, "pushes"> {
  git: Git;
  storage: RepositoryStorage;
  history: Pick<RepositoryHistory, "mergeBase">;
}

const headRef = (number: number) => `${mergeRequestRefs}/${number}/head`;

export interface MergeRequestFacts {
  state: SourceMergeRequest["state"];
  source: string;
  head: string;
  targetSha: string;
  base: string | null;
  /** What is not as it was there. */
  changed: string | null;
}

const noCommits = "Its commits are not at the host any more, so its changes cannot be shown.";
const noTarget = "Its target branch does not exist any more: it is closed.";

/** By number here; none for those whose repository has no commit. Creates branches for open ones whose source is elsewhere. */
export async function factsOf(
  deps: GitFactsDeps,
  repository: RepositoryRef,
  items: readonly SourceMergeRequest[],
): Promise<Map<number, MergeRequestFacts>> {
  const { git, storage } = deps;
  const directory = storage.directory(repository.id);
  const refs = await allRefs(git.start, directory);
  const heads = await readRefs(
    git.run,
    directory,
    items.map(({ number }) => headRef(number)),
  );
  const named = items.flatMap(({ head, base, mergeSha }) =>
    [head, base, mergeSha].filter((sha) => sha !== null),
  );
  const missing = new Set(await missingObjects(git.run, directory, [...new Set(named)]));
  const has = (sha: string | null): sha is string => sha !== null && !missing.has(sha);
  const facts = new Map<number, MergeRequestFacts>();
  const branches: { name: string; oid: string }[] = [];
  for (const item of items) {
    const found = await factsOfOne(deps, repository, { item, refs, heads, has });
    if (!found) continue;
    facts.set(item.number, found);
    const isNew = found.state === "open" && !refs.has(`refs/heads/${found.source}`);
    if (isNew) branches.push({ name: found.source, oid: found.head });
  }
  await addBranches(deps, repository, branches);
  return facts;
}

interface Known {
  item: SourceMergeRequest;
  refs: ReadonlyMap<string, string>;
  /** Kept by Git under the number of a merge request; zeros: none is. */
  heads: ReadonlyMap<string, string>;
  has(sha: string | null): sha is string;
}

async function factsOfOne(
  { git, storage, history }: GitFactsDeps,
  { id, defaultBranch }: RepositoryRef,
  { item, refs, heads, has }: Known,
): Promise<MergeRequestFacts | undefined> {
  const tip = (branch: string) => refs.get(`refs/heads/${branch}`);
  const target = tip(item.targetBranch);
  const fallback = target ?? tip(defaultBranch);
  const kept = heads.get(headRef(item.number)) ?? zeroId;
  const known = has(item.head) ? item.head : kept;
  if (known === zeroId) {
    if (fallback === undefined) return undefined;
    const state = item.state === "open" ? "closed" : item.state;
    return {
      state,
      source: item.sourceBranch,
      head: fallback,
      targetSha: fallback,
      base: null,
      changed: noCommits,
    };
  }
  if (item.state === "open" && target !== undefined) {
    const own = item.isOwnBranch ? tip(item.sourceBranch) : undefined;
    const head = own ?? known;
    const source = own === undefined ? `imported/merge-request-${item.number}` : item.sourceBranch;
    const base = (await history.mergeBase(id, target, head)) ?? null;
    const changed =
      own === undefined ? `Its source branch is elsewhere: \`${source}\` has its commits.` : null;
    return { state: "open", source, head, targetSha: target, base, changed };
  }
  const before = has(item.base)
    ? item.base
    : await parentOf(git, storage.directory(id), has(item.mergeSha) ? item.mergeSha : null);
  const targetSha = before ?? fallback ?? known;
  const base = (await history.mergeBase(id, targetSha, known)) ?? null;
  const isLost = item.state === "open";
  const state = isLost ? "closed" : item.state;
  return {
    state,
    source: item.sourceBranch,
    head: known,
    targetSha,
    base,
    changed: isLost ? noTarget : null,
  };
}

/** What the target branch was before a merge. */
async function parentOf(git: Git, directory: string, sha: string | null): Promise<string | undefined> {
  if (sha === null) return undefined;
  const { stdout } = await git.run({
    directory,
    args: ["rev-parse", "--verify", "--quiet", `${sha}^1`],
    acceptExitCodes: [0, 1],
  });
  const found = stdout.toString("latin1").trim();
  return /^[0-9a-f]{40}$/.test(found) ? found : undefined;
}
