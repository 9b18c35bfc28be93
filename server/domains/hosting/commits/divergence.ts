/** How far two commits are apart, of one repository or of two. */
import { basesAcross } from "../../../platform/git/merging/bases-across.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { RepositoryRef } from "../../policy/domain.ts";

/** A commit by its full id, and the repository that has it. */
export interface Point {
  repository: RepositoryRef;
  sha: string;
}

export interface Points {
  base: Point;
  head: Point;
}

export interface Divergence {
  /** Undefined where they share no history. */
  mergeBase: string | undefined;
  /** How many commits only the head has, and only the base. */
  ahead: number;
  behind: number;
  /** The newest of those that only the head has. */
  shas: string[];
}

export interface DivergenceDeps extends Pick<Platform, "git" | "storage"> {
  history: Pick<RepositoryHistory, "mergeBase" | "count" | "list">;
}

const maxCommits = 250;

export async function findDivergence(deps: DivergenceDeps, { base, head }: Points): Promise<Divergence> {
  const { history } = deps;
  const [here, there] = [base.repository.id, head.repository.id];
  const shared = here === there ? undefined : await sharedCommits(deps, { base, head });
  // What is common to two repositories is what these reach, so each can be asked alone.
  const news = { sha: head.sha, without: shared ?? base.sha };
  const [mergeBase, ahead, behind, shas] = await Promise.all([
    shared ? shared[0] : history.mergeBase(here, base.sha, head.sha),
    history.count(there, news),
    history.count(here, { sha: base.sha, without: shared ?? head.sha }),
    history.list(there, news, { offset: 0, limit: maxCommits }),
  ]);
  return { mergeBase, ahead, behind, shas };
}

function sharedCommits({ git, storage }: DivergenceDeps, { base, head }: Points): Promise<string[]> {
  const [directory, from] = [storage.directory(base.repository.id), storage.directory(head.repository.id)];
  return basesAcross(git.run, { directory, from, here: base.sha, there: head.sha });
}
