/** Branches and tags of a repository, read. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import type { Branch, Tag } from "@forgeline/schemas/branches/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { ListedRef, RefPage } from "../../../platform/git/refs/list-refs.ts";
import { isSafeRefName, shortRefName } from "../../../platform/git/refs/names.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { parseTag } from "../../../platform/git/objects/tag.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { CommitService } from "../commits/service.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { presentBranch, presentTag } from "./present.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";

export type RefKind = "heads" | "tags";

export interface BranchService {
  /** `name`: only the one that is called so. */
  page(
    repository: RepositoryRef,
    kind: RefKind,
    page: PageQuery & { name?: string | undefined },
  ): Promise<RefPage>;
  /** Throws `not_found`. */
  find(repository: RepositoryRef, kind: RefKind, name: string): Promise<ListedRef>;
  /** Patterns of the rules for branches or tags. */
  protectedPatterns(repository: RepositoryRef, kind: RefKind): Promise<string[]>;
  showBranches(
    repository: RepositoryRef,
    refs: readonly ListedRef[],
    patterns: readonly string[],
  ): Promise<Branch[]>;
  showTags(
    repository: RepositoryRef,
    refs: readonly ListedRef[],
    patterns: readonly string[],
  ): Promise<Tag[]>;
}

interface Patterns {
  patterns(repositoryId: string): Promise<string[]>;
}

export interface BranchServiceDeps {
  files: RepositoryFiles;
  history: RepositoryHistory;
  commits: CommitService;
  addresses: Addresses;
  branchProtections: Patterns;
  tagProtections: Patterns;
  users: { usernamesByEmail(emails: readonly string[]): Promise<Map<string, string>> };
}

const maxTagBytes = 1024 * 1024;

export function createBranchService(deps: BranchServiceDeps): BranchService {
  const { files, history, commits } = deps;

  async function commitsOf(repository: RepositoryRef, refs: readonly ListedRef[]) {
    const resolved = await Promise.all(refs.map(({ ref }) => files.resolveRef(repository.id, ref)));
    const shas = resolved.map((point) => point?.sha);
    const shown = await commits.show(
      repository,
      shas.filter((sha) => sha !== undefined),
    );
    const bySha = new Map(shown.map((commit) => [commit.sha, commit]));
    // A ref that went away meanwhile is left out.
    return refs.flatMap((ref, index) => {
      const commit = bySha.get(shas[index] ?? "");
      return commit ? [{ ref, commit }] : [];
    });
  }

  async function lookUp(
    repository: RepositoryRef,
    kind: RefKind,
    name: string,
  ): Promise<ListedRef | undefined> {
    const ref = `refs/${kind}/${name}`;
    if (!isSafeRefName(ref) || !(await files.resolveRef(repository.id, ref))) return undefined;
    const oid = await history.refObject(repository.id, ref);
    return oid ? { ref, oid } : undefined;
  }

  async function tagOf(
    repository: RepositoryRef,
    tag: { ref: ListedRef; commit: Commit; protected: boolean },
  ) {
    const { ref } = tag;
    const object = await files.readObject(repository.id, ref.oid, maxTagBytes);
    const info = object?.type === "tag" && object.bytes ? parseTag(object.bytes) : undefined;
    const usernames = await deps.users.usernamesByEmail(info?.tagger ? [info.tagger.email] : []);
    return presentTag({ ...tag, info, usernames }, repositoryAddress(deps.addresses, repository));
  }

  return {
    async page(repository, kind, { page, per_page: limit, name }) {
      if (name === undefined)
        return history.listRefs(repository.id, { kind, offset: (page - 1) * limit, limit });
      const found = await lookUp(repository, kind, name);
      const refs = found && page === 1 ? [found] : [];
      return { refs, total: found ? 1 : 0, version: found?.oid ?? "" };
    },
    async find(repository, kind, name) {
      const found = await lookUp(repository, kind, name);
      if (!found) throw new AppError("not_found");
      return found;
    },
    protectedPatterns: (repository, kind) =>
      (kind === "heads" ? deps.branchProtections : deps.tagProtections).patterns(repository.id),
    async showBranches(repository, refs, patterns) {
      const address = repositoryAddress(deps.addresses, repository);
      const found = await commitsOf(repository, refs);
      return found.map(({ ref, commit }) =>
        presentBranch(
          {
            ref: ref.ref,
            commit,
            defaultBranch: repository.defaultBranch,
            protected: isProtected(ref, patterns),
          },
          address,
        ),
      );
    },
    async showTags(repository, refs, patterns) {
      const found = await commitsOf(repository, refs);
      return Promise.all(
        found.map((each) => tagOf(repository, { ...each, protected: isProtected(each.ref, patterns) })),
      );
    },
  };
}

function isProtected({ ref }: ListedRef, patterns: readonly string[]): boolean {
  const name = shortRefName(ref);
  return patterns.some((pattern) => matchesGlob(pattern, name));
}
