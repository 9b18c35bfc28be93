/** `forgeline runner list --for-repo`: whose jobs a runner takes, seen from one repository. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { ApiError } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import type { RepositoryName } from "../../connection/repository.ts";
import type { CliContext } from "../../context.ts";
import { listGroups } from "./runner-groups.ts";

type Runner = Schemas["Runner"];

interface Serving {
  runners: Runner[];
  /** Whose runners the caller may not see. */
  unseen: string[];
}

/** Its own, those of its organization and those of the instance, without those in groups that it may not use. Throws `ApiError` if none of these may be seen. */
export async function runnersFor(context: CliContext, { owner, repo }: RepositoryName): Promise<Serving> {
  const { api } = context;
  const fullName = `${owner}/${repo}`;
  const own = await seen(() =>
    everyPage((query) =>
      api.GET("/repos/{owner}/{repo}/runners", { params: { path: { owner, repo }, query } }),
    ),
  );
  const path = { org: owner };
  const ofOwner = await seen(() =>
    everyPage((query) => api.GET("/orgs/{org}/runners", { params: { path, query } })),
  );
  const ofInstance = await seen(() => everyPage((query) => api.GET("/runners", { params: { query } })));
  if (own instanceof ApiError && ofOwner instanceof ApiError && ofInstance instanceof ApiError) throw own;
  const allowed = new Set([
    ...(ofOwner instanceof ApiError ? [] : await usableGroups(context, { org: owner }, fullName)),
    ...(ofInstance instanceof ApiError ? [] : await usableGroups(context, {}, fullName)),
  ]);
  const isOpen = ({ group }: Runner) => group === null || allowed.has(group.id);
  // Administrators see those of all repositories and organizations in the list of the instance.
  const forAll = listed(ofInstance).filter(({ repository, organization }) => !repository && !organization);
  return {
    runners: [...listed(own), ...[...listed(ofOwner), ...forAll].filter(isOpen)],
    unseen: [
      ...(own instanceof ApiError ? [`those of ${fullName}`] : []),
      // A user has none.
      ...(ofOwner instanceof ApiError && ofOwner.status !== 404 ? [`those of ${owner}`] : []),
      ...(ofInstance instanceof ApiError ? ["those of the instance"] : []),
    ],
  };
}

/** Or why they may not be seen. */
async function seen(read: () => Promise<Runner[]>): Promise<Runner[] | ApiError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return error;
    throw error;
  }
}

function listed(runners: Runner[] | ApiError): Runner[] {
  return runners instanceof ApiError ? [] : runners;
}

/** Their ids. */
async function usableGroups(context: CliContext, of: { org?: string }, fullName: string): Promise<string[]> {
  const name = fullName.toLowerCase();
  const isNamed = (one: string) => one.toLowerCase() === name || name.startsWith(`${one.toLowerCase()}/`);
  const groups = await listGroups(context, of);
  return groups
    .filter(
      ({ access, owners, repositories }) => access === "all" || [...owners, ...repositories].some(isNamed),
    )
    .map(({ id }) => id);
}
