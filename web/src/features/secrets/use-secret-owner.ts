/** Whose secrets a page shows, as its address says: an environment's, a repository's, an organization's or the instance's. All have the same operations. */
import { useOutletContext, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { mayMaintain } from "../environments/may-maintain.ts";
import { text } from "../../text/secrets.ts";
import type { SeenOrganization } from "../organizations/use-organization.ts";

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/secrets${Suffix}`;

export interface SecretOwner {
  /** As it is called. */
  name: string;
  lead: string;
  /** Where the page of all its secrets is. */
  home: string;
  isArchived: boolean;
  /** How to name the repositories that a secret is limited to; absent where it cannot be. */
  repositoriesHint?: string;
  /** Whoever sees those of an environment need not maintain it. */
  mayChange: boolean;
  /** The address of an operation. Typed as that of a repository: the others take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  path: { owner: string; repo: string };
}

export function useSecretOwner(): SecretOwner {
  const { org, owner, repo = "", environment } = useParams();
  const context = useOutletContext<SeenOrganization | Schemas["Repository"] | undefined>();
  const under = (base: string, path: object) => ({
    at: <Suffix extends string>(suffix: Suffix) => `${base}/secrets${suffix}` as RepositoryPath<Suffix>,
    path: path as SecretOwner["path"],
    isArchived: false,
    mayChange: true,
  });
  if (org !== undefined) {
    const { name } = (context as SeenOrganization).organization;
    const shown = { name, lead: text.leadOfOrganization, home: `/orgs/${name}/secrets` };
    const repositoriesHint = text.repositoriesOfOrganizationHint;
    return { ...under("/orgs/{org}", { org }), ...shown, repositoriesHint };
  }
  if (owner === undefined)
    return {
      ...under("/admin", {}),
      name: text.instance,
      lead: text.leadOfInstance,
      repositoriesHint: text.repositoriesHint,
      home: "/-/admin/secrets",
    };
  const repository = context as Schemas["Repository"];
  const { full_name: name, archived: isArchived } = repository;
  if (environment !== undefined)
    return {
      ...under("/repos/{owner}/{repo}/environments/{environment}", { owner, repo, environment }),
      name: `${name}, ${environment}`,
      lead: text.leadOfEnvironment,
      home: `/${name}/environments/${environment}/secrets`,
      isArchived,
      mayChange: mayMaintain(repository),
    };
  const shown = { name, isArchived, lead: text.leadOfRepository, home: `/${name}/settings/secrets` };
  return { ...under("/repos/{owner}/{repo}", { owner, repo }), ...shown };
}
