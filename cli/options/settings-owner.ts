/**
 * Whose settings are meant: those of a repository, with `--environment` of one of its environments, with `--org` of an organization, with
 * `--instance` of the instance. All have the same operations.
 */
import type { Command } from "commander";
import { UsageError } from "../connection/settings.ts";
import { contextOf, type CliContext } from "../context.ts";

export interface OwnerOptions {
  org?: string;
  instance?: boolean;
  environment?: string;
}

/** How the commands of each noun say it. A noun is the last part of the address of its operations. */
const words = {
  secrets: {
    org: "an organization's secrets instead of a repository's",
    instance: "the instance's secrets",
    environment: "those of one of the repository's environments",
    both: "--org, --instance and --environment exclude each other",
  },
  variables: {
    org: "those of an organization, for all its repositories",
    instance: "those of the instance, for all repositories",
    environment: "those of one of the repository's environments, for the jobs that deploy there",
    both: "only one of --org, --instance and --environment",
  },
};
type Nouns = keyof typeof words;
type RepositoryPath<N extends Nouns, Suffix extends string> = `/repos/{owner}/{repo}/${N}${Suffix}`;

export interface OwnedContext<N extends Nouns> extends CliContext {
  /** The address of an operation. Typed as that of a repository: the others take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<N, Suffix>;
  /** The part of the address that names the owner; typed as above. */
  owner: { owner: string; repo: string };
  /** As people say it: `of acme/app`. */
  ofOwner: string;
}

export function addOwnerOptions(command: Command, nouns: Nouns): Command {
  const { org, instance, environment } = words[nouns];
  return command
    .option("--org <organization>", org)
    .option("--instance", instance)
    .option("--environment <name>", environment);
}

/** Throws `UsageError` where more than one is named. */
export async function ownedBy<N extends Nouns>(
  command: Command,
  { org, instance, environment }: OwnerOptions,
  nouns: N,
): Promise<OwnedContext<N>> {
  if ([org, instance, environment].filter((one) => one !== undefined).length > 1)
    throw new UsageError(words[nouns].both);
  const context = await contextOf(command);
  const place = (base: string, path: object, ofOwner: string): OwnedContext<N> => ({
    ...context,
    ofOwner,
    owner: path as OwnedContext<N>["owner"],
    at: <Suffix extends string>(suffix: Suffix) => `${base}/${nouns}${suffix}` as RepositoryPath<N, Suffix>,
  });
  if (instance) return place("/admin", {}, "of the instance");
  if (org !== undefined) return place("/orgs/{org}", { org }, `of ${org}`);
  const repository = await context.repository();
  if (environment !== undefined)
    return place(
      "/repos/{owner}/{repo}/environments/{environment}",
      { ...repository, environment },
      `of ${environment} in ${repository.owner}/${repository.repo}`,
    );
  return place("/repos/{owner}/{repo}", repository, `of ${repository.owner}/${repository.repo}`);
}
