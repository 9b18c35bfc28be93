/** Whose variables a page shows, as its address says: an environment's, a repository's, an organization's, or the instance's. All have the same operations. */
import { useOutletContext, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as administration } from "../../text/administration.ts";
import type { SeenOrganization } from "../organizations/use-organization.ts";
import { mayMaintain } from "../environments/may-maintain.ts";
import { mayRun } from "../pipelines/may-run.ts";

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/variables${Suffix}`;

export interface VariableOwner {
  level: Schemas["Variable"]["level"];
  /** As it is called. */
  name: string;
  mayChange: boolean;
  /** The address of an operation. Typed as that of a repository: the others take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  path: { owner: string; repo: string };
}

export function useVariableOwner(): VariableOwner {
  const { org, owner, repo, environment } = useParams();
  const context = useOutletContext<SeenOrganization | Schemas["Repository"] | undefined>();
  const made = (base: string, path: object) => ({
    at: <Suffix extends string>(suffix: Suffix) => `${base}/variables${suffix}` as RepositoryPath<Suffix>,
    path: path as VariableOwner["path"],
  });
  if (org !== undefined) {
    const { name } = (context as SeenOrganization).organization;
    return { level: "organization", name, mayChange: true, ...made("/orgs/{org}", { org }) };
  }
  if (owner === undefined)
    return { level: "instance", name: administration.administration, mayChange: true, ...made("/admin", {}) };
  const repository = context as Schemas["Repository"];
  const { full_name: name } = repository;
  if (environment !== undefined)
    return {
      level: "environment",
      name: `${name}, ${environment}`,
      mayChange: mayMaintain(repository) && !repository.archived,
      ...made("/repos/{owner}/{repo}/environments/{environment}", { owner, repo, environment }),
    };
  return {
    level: "repository",
    name,
    mayChange: mayRun(repository),
    ...made("/repos/{owner}/{repo}", { owner, repo }),
  };
}
