/** Whose webhooks a page shows: those of a repository or of an organization, as its address says. Both have the same operations. */
import { useOutletContext, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { SeenOrganization } from "../organizations/use-organization.ts";

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/webhooks${Suffix}`;

export interface HookOwner {
  /** As it is called. */
  name: string;
  /** Where the page of all its webhooks is. */
  home: string;
  isArchived: boolean;
  isOrganization: boolean;
  /** The address of an operation. Typed as that of a repository: organizations take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  path: { owner: string; repo: string };
}

export function useHookOwner(): HookOwner {
  const { org, owner = "", repo = "" } = useParams();
  const context = useOutletContext<SeenOrganization | Schemas["Repository"]>();
  const base = org === undefined ? "/repos/{owner}/{repo}/webhooks" : "/orgs/{org}/webhooks";
  const at = <Suffix extends string>(suffix: Suffix) => `${base}${suffix}` as RepositoryPath<Suffix>;
  if (org !== undefined) {
    const name = (context as SeenOrganization).organization.name;
    const path = { org } as unknown as HookOwner["path"];
    return { name, home: `/orgs/${name}/webhooks`, isArchived: false, isOrganization: true, at, path };
  }
  const { full_name: name, archived } = context as Schemas["Repository"];
  const home = `/${name}/settings/webhooks`;
  return { name, home, isArchived: archived, isOrganization: false, at, path: { owner, repo } };
}
