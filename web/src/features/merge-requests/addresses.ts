/** Addresses of the pages of merge requests. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Named = Pick<Schemas["Repository"], "full_name">;

export function mergeRequestsAddress({ full_name }: Named): string {
  return `/${full_name}/merge-requests`;
}

export function mergeRequestAddress(repository: Named, number: number, part = ""): string {
  return `${mergeRequestsAddress(repository)}/${number}${part === "" ? "" : `/${part}`}`;
}

/** Where one is created; what is not given is chosen there. */
export function newMergeRequestAddress(
  repository: Named,
  branches: { source?: string; source_repo?: string; target?: string } = {},
): string {
  const query = new URLSearchParams(branches).toString();
  return `${mergeRequestsAddress(repository)}/new${query === "" ? "" : `?${query}`}`;
}

/** Where a branch of a repository is proposed: of a fork to what it was forked from, if the reader sees that. */
export function proposalAddress(
  repository: Named & Pick<Schemas["Repository"], "upstream">,
  branches: { source?: string } = {},
): string {
  const { full_name: name, upstream } = repository;
  if (upstream === null) return newMergeRequestAddress(repository, branches);
  return newMergeRequestAddress(upstream, { ...branches, source_repo: name });
}
