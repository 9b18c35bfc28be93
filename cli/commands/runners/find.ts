/** Runners by what people call them. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { ApiError } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";

export interface OrgOption {
  org?: string;
}

export interface PlaceOption extends OrgOption {
  forRepo?: string;
}

/** Adds `--org`. */
export function withOrg(command: Command): Command {
  return command.option("--org <organization>", "runners of this organization instead of the instance's");
}

/** Adds `--org` and `--for-repo`. */
export function withPlace(command: Command): Command {
  return withOrg(command).option(
    "--for-repo <repository>",
    "runners of OWNER/NAME instead of the instance's, as with -R",
  );
}

/** Undefined: no single one is meant. */
export function repositoryOf(
  { flags }: CliContext,
  { org, forRepo }: PlaceOption,
): RepositoryName | undefined {
  if (forRepo !== undefined && org !== undefined)
    throw new UsageError("give only one of --org and --for-repo");
  const named = forRepo ?? (org === undefined ? flags.repo?.at(-1) : undefined);
  return named === undefined ? undefined : parseRepository(named);
}

/** Those of the instance, of the organization, or of the repository alone. Throws `ApiError` that says how to name a place. */
export async function listRunners(context: CliContext, place: PlaceOption): Promise<Schemas["Runner"][]> {
  const { api } = context;
  const { org } = place;
  const path = repositoryOf(context, place);
  if (path)
    return everyPage((query) => api.GET("/repos/{owner}/{repo}/runners", { params: { path, query } }));
  if (org !== undefined)
    return everyPage((query) => api.GET("/orgs/{org}/runners", { params: { path: { org }, query } }));
  try {
    return await everyPage((query) => api.GET("/runners", { params: { query } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const advice = "Name whose runner it is with --org ORGANIZATION or -R OWNER/NAME.";
    throw new ApiError(403, { message: `${error.message} ${advice}` });
  }
}

/** Names need not be unique; an id always is. */
export async function runnerId(context: CliContext, wanted: string, place: PlaceOption): Promise<string> {
  if (wanted.startsWith("rnr_")) return wanted;
  const named = (await listRunners(context, place)).filter((runner) => runner.name === wanted);
  const [one, ...others] = named;
  if (one === undefined)
    throw new UsageError(`there is no runner "${wanted}"; see ${listCommandOf(context, place)}`);
  if (others.length > 0)
    throw new UsageError(
      `"${wanted}" is the name of ${named.length} runners: ${named.map(({ id, status }) => `${id} (${status})`).join(", ")}; give the id`,
    );
  return one.id;
}

function listCommandOf(context: CliContext, place: PlaceOption): string {
  const of = repositoryOf(context, place);
  if (of) return `forgeline runner list --for-repo ${of.owner}/${of.repo}`;
  return place.org === undefined ? "forgeline runner list" : `forgeline runner list --org ${place.org}`;
}
