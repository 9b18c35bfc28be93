/** What two commits have between them, or one brought: the two trees that are compared. */
import type { TreePair } from "../../../platform/git/history/listed-changes.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { createBoundedCache } from "../../../platform/bounded-cache.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { CommitService } from "./service.ts";

/** Full ids of commits. `before` is the merge base, or the first parent; null for nothing. */
export interface ChangeRange {
  before: string | null;
  after: string;
}

/** The commits as they were named: one, or a base and a head. Full ids. */
export interface NamedRange {
  base: string | null;
  head: string;
}

export interface ChangeRanges {
  /** `basehead`: `BASE...HEAD` or a single commit, each as for `CommitService.resolve`. Throws `not_found`. */
  named(repository: RepositoryRef, basehead: string): Promise<NamedRange>;
  rangeOf(repository: RepositoryRef, named: NamedRange): Promise<ChangeRange>;
  /** Throws `not_found` for what is no commit. */
  treesOf(repository: RepositoryRef, range: ChangeRange): Promise<TreePair>;
}

export interface ChangeRangesDeps {
  commits: Pick<CommitService, "resolve" | "info">;
  history: Pick<RepositoryHistory, "mergeBase">;
}

const maxBases = 2_000;
const bytesOfBase = 200;

export function createChangeRanges({ commits, history }: ChangeRangesDeps): ChangeRanges {
  const bases = createBoundedCache<string | undefined>({
    maxEntries: maxBases,
    maxBytes: maxBases * bytesOfBase,
    bytesOf: () => bytesOfBase,
  });

  return {
    async named(repository, basehead) {
      const names = basehead.split("...");
      if (names.length > 2) throw new AppError("not_found");
      const resolved = await Promise.all(names.map((name) => commits.resolve(repository, name)));
      const head = resolved.at(-1)!.sha;
      return { base: resolved.length === 1 ? null : resolved[0]!.sha, head };
    },
    async rangeOf(repository, { base, head }) {
      if (base === null) {
        const { parents } = await commits.info(repository, head);
        return { before: parents[0] ?? null, after: head };
      }
      const key = `${repository.id} ${base} ${head}`;
      const shared = await bases.get(key, () => history.mergeBase(repository.id, base, head));
      return { before: shared ?? base, after: head };
    },
    async treesOf(repository, { before, after }) {
      const treeOf = async (sha: string) => (await commits.info(repository, sha)).tree;
      const [from, to] = await Promise.all([before === null ? null : treeOf(before), treeOf(after)]);
      return { before: from, after: to };
    },
  };
}
