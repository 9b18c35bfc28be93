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
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { CommitService } from "../commits/service.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { presentBranch, presentTag } from "./present.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";

export type RefKind = "heads" | "tags";

export interface BranchService {
  /** Throws `not_found`. */
  find(repository: RepositoryRef, kind: RefKind, name: string): Promise<ListedRef>;
  listBranches(
    repository: RepositoryRef,
    query: RefQuery,
    revalidate: Revalidate,
  ): Promise<{ branches: Branch[]; total: number }>;
  /** Throws `not_found`. */
  getBranch(repository: RepositoryRef, name: string, revalidate: Revalidate): Promise<Branch>;
  listTags(
    repository: RepositoryRef,
    query: RefQuery,
    revalidate: Revalidate,
  ): Promise<{ tags: Tag[]; total: number }>;
  /** Throws `not_found`. */
  getTag(repository: RepositoryRef, name: string, revalidate: Revalidate): Promise<Tag>;
  /** A branch that was just found or created. Throws `not_found` if it has been deleted since. */
  showBranch(repository: RepositoryRef, ref: ListedRef): Promise<Branch>;
  showTag(repository: RepositoryRef, ref: ListedRef): Promise<Tag>;
}

/** `name`: only the one with this name. */
export type RefQuery = PageQuery & { name?: string | undefined };

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
    // A ref that was deleted meanwhile is left out.
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

  async function find(repository: RepositoryRef, kind: RefKind, name: string): Promise<ListedRef> {
    const found = await lookUp(repository, kind, name);
    if (!found) throw new AppError("not_found");
    return found;
  }

  async function page(repository: RepositoryRef, kind: RefKind, query: RefQuery): Promise<RefPage> {
    const { page: number, per_page: limit, name } = query;
    if (name === undefined)
      return history.listRefs(repository.id, { kind, offset: (number - 1) * limit, limit });
    const found = await lookUp(repository, kind, name);
    const refs = found && number === 1 ? [found] : [];
    return { refs, total: found ? 1 : 0, version: found?.oid ?? "" };
  }

  const branchPatterns = ({ id }: RepositoryRef) => deps.branchProtections.patterns(id);
  const tagPatterns = ({ id }: RepositoryRef) => deps.tagProtections.patterns(id);

  async function showBranches(
    repository: RepositoryRef,
    refs: readonly ListedRef[],
    patterns: readonly string[],
  ): Promise<Branch[]> {
    const address = repositoryAddress(deps.addresses, repository);
    const { defaultBranch } = repository;
    const found = await commitsOf(repository, refs);
    return found.map(({ ref, commit }) => {
      const branch = { ref: ref.ref, commit, defaultBranch, protected: isProtected(ref, patterns) };
      return presentBranch(branch, address);
    });
  }

  async function showTags(
    repository: RepositoryRef,
    refs: readonly ListedRef[],
    patterns: readonly string[],
  ): Promise<Tag[]> {
    const found = await commitsOf(repository, refs);
    return Promise.all(
      found.map((each) => tagOf(repository, { ...each, protected: isProtected(each.ref, patterns) })),
    );
  }

  return {
    find,
    async listBranches(repository, query, revalidate) {
      const { refs, total, version } = await page(repository, "heads", query);
      const patterns = await branchPatterns(repository);
      revalidate(JSON.stringify([version, repository.defaultBranch, patterns]));
      return { branches: await showBranches(repository, refs, patterns), total };
    },
    async getBranch(repository, name, revalidate) {
      const found = await find(repository, "heads", name);
      const patterns = await branchPatterns(repository);
      revalidate(JSON.stringify([found.oid, repository.defaultBranch, patterns]));
      return only(await showBranches(repository, [found], patterns));
    },
    async listTags(repository, query, revalidate) {
      const { refs, total, version } = await page(repository, "tags", query);
      const patterns = await tagPatterns(repository);
      revalidate(JSON.stringify([version, patterns]));
      return { tags: await showTags(repository, refs, patterns), total };
    },
    async getTag(repository, name, revalidate) {
      const found = await find(repository, "tags", name);
      const patterns = await tagPatterns(repository);
      revalidate(JSON.stringify([found.oid, patterns]));
      return only(await showTags(repository, [found], patterns));
    },
    showBranch: async (repository, ref) =>
      only(await showBranches(repository, [ref], await branchPatterns(repository))),
    showTag: async (repository, ref) =>
      only(await showTags(repository, [ref], await tagPatterns(repository))),
  };
}

/** It may have been deleted since it was found. */
function only<T>(records: readonly T[]): T {
  const [record] = records;
  if (record === undefined) throw new AppError("not_found");
  return record;
}

function isProtected({ ref }: ListedRef, patterns: readonly string[]): boolean {
  const name = shortRefName(ref);
  return patterns.some((pattern) => matchesGlob(pattern, name));
}
