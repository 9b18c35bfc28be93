/** How far one branch of a fork is from the same branch of its upstream. */
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { placeIn } from "../../../platform/git/merging/combined-objects.ts";
import { countDivergence, type Divergence } from "../../../platform/git/merging/count-divergence.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { readRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { RepositoryRef } from "../../policy/domain.ts";

/** Undefined where one of both has no such branch, or counting takes longer than a page should wait for it. */
export type CompareFork = (pair: {
  fork: RepositoryRef;
  upstream: RepositoryRef;
  branch: string;
}) => Promise<Divergence | undefined>;

const patienceMs = 10_000;

export function createForkComparison({
  git,
  storage,
}: {
  git: Git;
  storage: RepositoryStorage;
}): CompareFork {
  return async ({ fork, upstream, branch }) => {
    const [directory, other] = [storage.directory(fork.id), storage.directory(upstream.id)];
    const ref = `refs/heads/${branch}`;
    const [here = zeroId, there = zeroId] = await Promise.all(
      [directory, other].map(async (each) => (await readRefs(git.run, each, [ref])).get(ref)),
    );
    if (here === zeroId || there === zeroId) return undefined;
    // Nothing is made, so there is no place for it.
    const combined = { directory, other, made: `${directory}/objects` };
    const signal = AbortSignal.timeout(patienceMs);
    return countDivergence(git.run, placeIn(combined, signal), { here, there }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  };
}
