/** Whose secrets are meant: a repository's, or with an option an organization's or the instance's. All have the same operations. */
import type { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";

export interface PlaceOptions {
  org?: string;
  instance?: boolean;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .option("--org <organization>", "an organization's secrets instead of a repository's")
    .option("--instance", "the instance's secrets");
}

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/secrets${Suffix}`;

export interface SecretContext extends CliContext {
  /** The address of an operation. Typed as that of a repository: the others take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  owner: { owner: string; repo: string };
  /** `of acme/app`. */
  ofOwner: string;
}

export async function secretsOf(command: Command, { org, instance }: PlaceOptions): Promise<SecretContext> {
  if (org !== undefined && instance) throw new UsageError("--org and --instance exclude each other");
  const context = await contextOf(command);
  const place = (base: string, path: object, ofOwner: string): SecretContext => ({
    ...context,
    ofOwner,
    owner: path as SecretContext["owner"],
    at: <Suffix extends string>(suffix: Suffix) => `${base}/secrets${suffix}` as RepositoryPath<Suffix>,
  });
  if (instance) return place("/admin", {}, "of the instance");
  if (org !== undefined) return place("/orgs/{org}", { org }, `of ${org}`);
  const repository = await context.repository();
  return place("/repos/{owner}/{repo}", repository, `of ${repository.owner}/${repository.repo}`);
}
