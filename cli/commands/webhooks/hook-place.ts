/** Whose webhooks are meant: those of a repository, or with `--org` those of an organization. Both have the same operations. */
import type { Command } from "commander";
import type { CliContext } from "../../context.ts";
import { contextOf } from "../../context.ts";

export interface OwnerOption {
  org?: string;
}

export function addOwnerOption(command: Command): Command {
  return command.option("--org <organization>", "an organization's webhooks instead of a repository's");
}

type RepositoryPath<Suffix extends string> = `/repos/{owner}/{repo}/webhooks${Suffix}`;

export interface HookContext extends CliContext {
  /** The address of an operation. Typed as that of a repository: organizations take and answer the same. */
  at<Suffix extends string>(suffix: Suffix): RepositoryPath<Suffix>;
  /** The part of the address that names the owner; typed as above. */
  owner: { owner: string; repo: string };
}

export async function hooksOf(command: Command, { org }: OwnerOption): Promise<HookContext> {
  const context = await contextOf(command);
  const base = org === undefined ? "/repos/{owner}/{repo}/webhooks" : "/orgs/{org}/webhooks";
  const owner = org === undefined ? await context.repository() : ({ org } as unknown as HookContext["owner"]);
  return {
    ...context,
    owner,
    at: <Suffix extends string>(suffix: Suffix) => `${base}${suffix}` as RepositoryPath<Suffix>,
  };
}
