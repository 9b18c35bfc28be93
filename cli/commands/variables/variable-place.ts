/**
 * Whose variables are meant: those of a repository, with `--org` of an organization, with `--instance` of the instance. All have the
 * same operations.
 */
import type { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";

export interface PlaceOptions {
  org?: string;
  instance?: boolean;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .option("--org <organization>", "those of an organization, for all its repositories")
    .option("--instance", "those of the instance, for all repositories");
}

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/variables${Suffix}`;

export interface VariableContext extends CliContext {
  /** The address of an operation. Typed as that of a repository: the others take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  owner: { owner: string; repo: string };
  /** As people say it: `of acme`. */
  ofWhom: string;
}

/** Throws `UsageError` where two are named. */
export async function variablesOf(command: Command, options: PlaceOptions): Promise<VariableContext> {
  const { org, instance = false } = options;
  if (org !== undefined && instance) throw new UsageError("either --org or --instance, not both");
  const context = await contextOf(command);
  const { base, path, ofWhom } = await placeOf(context, { org, instance });
  return {
    ...context,
    owner: path as VariableContext["owner"],
    ofWhom,
    at: <Suffix extends string>(suffix: Suffix) => `${base}/variables${suffix}` as RepositoryPath<Suffix>,
  };
}

async function placeOf(
  context: CliContext,
  { org, instance }: { org: string | undefined; instance: boolean },
): Promise<{ base: string; path: object; ofWhom: string }> {
  if (instance) return { base: "/admin", path: {}, ofWhom: "of the instance" };
  if (org !== undefined) return { base: "/orgs/{org}", path: { org }, ofWhom: `of ${org}` };
  const path = await context.repository();
  return { base: "/repos/{owner}/{repo}", path, ofWhom: `of ${path.owner}/${path.repo}` };
}
