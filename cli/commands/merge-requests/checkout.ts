/** `forgeline mr checkout`. */
import type { Command } from "commander";
import { setTimeout as pause } from "node:timers/promises";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { commitOf, git, hasBranch, remoteOf } from "./local-git.ts";
import { parseNumber, type MergeRequest } from "./show.ts";
import { foreignOwner } from "./source.ts";

/** The server keeps what was pushed for a merge request within about a second. */
const tries = 20;
const pauseMs = 500;

/** A branch of that name goes forward, or stays as it is where it has commits of its own. */
export async function checkout(text: string, _options: object, command: Command): Promise<void> {
  const { api, connection, print, repository } = await contextOf(command);
  const place = await repository();
  const params = { path: { ...place, number: parseNumber(text) } };
  const look = () => valueOf(api.GET("/repos/{owner}/{repo}/merge-requests/{number}", { params }));
  const first = await look();
  const branch = localName(first);
  if (branch.startsWith("-")) throw new UsageError("git cannot check out a branch with this name");
  const found = await fetchHead(await remoteOf(place, connection.url), first, look);
  if (await hasBranch(branch)) {
    await git("switch", "--quiet", branch);
    await git("merge", "--quiet", "--ff-only", "FETCH_HEAD");
  } else await git("switch", "--quiet", "--create", branch, "FETCH_HEAD");
  print(found, () => terminalSafe(`on ${branch} at ${found.head_sha.slice(0, 12)}`));
}

/** Until what was fetched is what the server names as its newest commit. */
async function fetchHead(
  remote: string,
  first: MergeRequest,
  look: () => Promise<MergeRequest>,
): Promise<MergeRequest> {
  for (let left = tries, found = first; left > 0; left -= 1, found = await look()) {
    await git("fetch", "--quiet", "--end-of-options", remote, `refs/merge-requests/${found.number}/head`);
    if ((await commitOf("FETCH_HEAD")) === found.head_sha) return found;
    await pause(pauseMs);
  }
  throw new UsageError("its newest commit cannot be fetched yet: try again in a moment");
}

/** A branch of a fork may be called as one here, such as `main`, with which it must not be mixed up. */
function localName(shown: MergeRequest): string {
  if (shown.source_repo === null) return `merge-request-${shown.number}`;
  const owner = foreignOwner(shown);
  return owner === undefined ? shown.source_branch : `${owner}/${shown.source_branch}`;
}
