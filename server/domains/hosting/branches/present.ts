/** Branches and tags as the REST interface shows them. */
import type { Branch, Tag } from "@forgeline/schemas/branches/resource.ts";
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { ListedRef } from "../../../platform/git/refs/list-refs.ts";
import { shortRefName } from "../../../platform/git/refs/names.ts";
import type { TagInfo } from "../../../platform/git/objects/tag.ts";
import type { RepositoryAddress } from "../repositories/repository-address.ts";

export function presentBranch(
  branch: { ref: string; commit: Commit; defaultBranch: string; protected: boolean },
  address: RepositoryAddress,
): Branch {
  const name = shortRefName(branch.ref);
  return {
    id: branch.ref,
    name,
    commit: branch.commit,
    protected: branch.protected,
    default: name === branch.defaultBranch,
    url: address.api("branches", name),
    web_url: address.web("tree", name),
    created_at: branch.commit.created_at,
    updated_at: branch.commit.updated_at,
  };
}

export function presentTag(
  tag: {
    ref: ListedRef;
    commit: Commit;
    info: TagInfo | undefined;
    usernames: ReadonlyMap<string, string>;
    protected: boolean;
  },
  address: RepositoryAddress,
): Tag {
  const { ref, commit, info, usernames } = tag;
  const name = shortRefName(ref.ref);
  const tagger = info?.tagger ?? null;
  return {
    id: ref.ref,
    name,
    sha: ref.oid,
    commit,
    message: info?.message ?? null,
    protected: tag.protected,
    tagger: tagger && { ...tagger, username: usernames.get(tagger.email.toLowerCase()) ?? null },
    url: address.api("tags", name),
    web_url: address.web("tree", name),
    created_at: tagger?.date ?? commit.created_at,
    updated_at: tagger?.date ?? commit.updated_at,
  };
}
