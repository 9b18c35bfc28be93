/** Whose name is on a commit that the server makes of all changes of a merge request. */
import type { Platform } from "../../../platform/platform.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import type { Person } from "../../../platform/git/merging/commit-tree.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { withCoAuthors } from "./messages.ts";

export interface SquashAuthorDeps extends Pick<Platform, "history" | "files"> {
  users: {
    get(id: string): Promise<UserRow>;
    getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
    usernamesByEmail(emails: readonly string[]): Promise<Map<string, string>>;
  };
}

/** What `sha` has and `without` lacks. */
export interface Brought {
  sha: string;
  without: string;
}

export interface Signed {
  author: Person;
  committer: Person;
  message: string;
}

const maxBrought = 1_000;

/** Newest first, the first thousand, each let go when the next is read, since it may be large. None asks who has signed it. */
export async function* broughtCommits(
  { history, files }: Pick<Platform, "history" | "files">,
  repository: RepositoryRef,
  brought: Brought,
): AsyncGenerator<CommitInfo> {
  const shas = await history.list(repository.id, brought, { offset: 0, limit: maxBrought });
  for (const sha of shas) {
    const info = await files.commitInfo(repository.id, sha);
    if (info) yield info;
  }
}

/**
 * The author of the merge request where all commits name an address of theirs as author: the instance signs it, so nobody's work may
 * become somebody else's by a merge. Otherwise whoever makes the commit, and its message names the others.
 */
export type SignSquash = (
  repository: RepositoryRef,
  wanted: { brought: Brought; authorId: string | null; committerId: string; message: string },
) => Promise<Signed>;

export function createSquashAuthors(deps: SquashAuthorDeps): SignSquash {
  const { users } = deps;

  /** By address; not `all` where there are more than are looked at, or some are too large to be read. */
  async function authorsOf(repository: RepositoryRef, brought: Brought) {
    const found = new Map<string, Person>();
    let seen = 0;
    for await (const { author } of broughtCommits(deps, repository, brought)) {
      seen += 1;
      found.set(author.email.toLowerCase(), { name: author.name, email: author.email });
    }
    const all = seen > 0 && seen === (await deps.history.count(repository.id, brought));
    return { found, all };
  }

  return async (repository, { brought, authorId, committerId, message }) => {
    const acting = await users.get(committerId);
    const committer = commitIdentity(acting);
    const isOther = authorId !== null && authorId !== committerId;
    const writer = isOther ? (await users.getMany([authorId])).get(authorId) : undefined;
    if (!writer) return { author: committer, committer, message };
    const author = commitIdentity(writer);
    const { found, all } = await authorsOf(repository, brought);
    const names = await users.usernamesByEmail([...found.keys()]);
    const others = [...found].filter(([email]) => names.get(email) !== writer.username);
    if (all && others.length === 0) return { author, committer, message };
    const beside = others
      .filter(([email]) => names.get(email) !== acting.username)
      .map(([, person]) => person);
    return { author: committer, committer, message: withCoAuthors(message, [author, ...beside]) };
  };
}
