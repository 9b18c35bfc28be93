/** Where the source branch of a merge request is: in the repository itself, or in a fork. */
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";

type MergeRequest = Schemas["MergeRequest"];

export interface Proposal {
  target: RepositoryName;
  branch: string;
  /** The fork with the branch; undefined: it is in the target. */
  from: RepositoryName | undefined;
}

/** `BRANCH`, `OWNER:BRANCH` for the fork of that owner, or `OWNER/NAME:BRANCH`. No name of a branch has a colon. */
export function parseHead(text: string): { branch: string; fork: string | undefined } {
  const colon = text.indexOf(":");
  const [fork, branch] = colon < 0 ? [undefined, text] : [text.slice(0, colon), text.slice(colon + 1)];
  if (branch === "" || fork === "") throw new UsageError(`"${text}" is not of the form OWNER:BRANCH`);
  return { branch, fork };
}

/** `place`: the repository of `--repo` (`isNamed`), or that of the checkout, where a fork proposes to its parent. */
export async function proposalOf(
  api: ForgelineClient,
  { place, isNamed, head }: { place: RepositoryName; isNamed: boolean; head: string },
): Promise<Proposal> {
  const { branch, fork } = parseHead(head);
  const parent = isNamed ? undefined : await parentOf(api, place);
  const target = parent ?? place;
  if (fork === undefined) return { target, branch, from: parent && place };
  const from = fork.includes("/") ? parseRepository(fork) : await forkOf(api, target, fork);
  return { target, branch, from: isSame(from, target) ? undefined : from };
}

/** Undefined where it is no fork, or of something that the caller does not see. */
async function parentOf(api: ForgelineClient, path: RepositoryName): Promise<RepositoryName | undefined> {
  const { upstream } = await valueOf(api.GET("/repos/{owner}/{repo}", { params: { path } }));
  return upstream ? parseRepository(upstream.full_name) : undefined;
}

async function forkOf(api: ForgelineClient, target: RepositoryName, owner: string): Promise<RepositoryName> {
  if (owner.toLowerCase() === target.owner.toLowerCase()) return target;
  const forks = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/forks", { params: { path: target, query } }),
  );
  const names = forks.map(({ full_name: name }) => parseRepository(name));
  const found = names.filter((name) => name.owner.toLowerCase() === owner.toLowerCase());
  const [one, ...more] = found;
  const shown = `${target.owner}/${target.repo}`;
  if (!one)
    throw new UsageError(`${owner} has no fork of ${shown} that you can read: give --head OWNER/NAME:BRANCH`);
  if (more.length > 0)
    throw new UsageError(`${owner} has several forks of ${shown}: give --head OWNER/NAME:BRANCH`);
  return one;
}

function isSame(one: RepositoryName, other: RepositoryName): boolean {
  return `${one.owner}/${one.repo}`.toLowerCase() === `${other.owner}/${other.repo}`.toLowerCase();
}

/** `fix`, or `ann:fix` of a fork of ann's. */
export function sourceName(shown: MergeRequest): string {
  const owner = foreignOwner(shown);
  return owner === undefined ? shown.source_branch : `${owner}:${shown.source_branch}`;
}

/** Whose the fork with the source branch is; undefined where the branch is in the repository itself, or its repository is gone. */
export function foreignOwner({ url, source_repo: source }: MergeRequest): string | undefined {
  return source === null || url.startsWith(`${source.url}/merge-requests/`)
    ? undefined
    : source.full_name.split("/", 1)[0];
}
