/** Issues of their own repository that commits say they fix ("Fixes #12"). */
import { closingReferencesOf } from "@forgeline/markdown/references-of.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";

export interface CommitRange {
  repositoryId: string;
  /** Of the repository: `owner/name`, in lower case. */
  fullName: string;
  sha: string;
  without: string;
}

export interface CommitFixesDeps {
  addresses: Pick<Addresses, "webUrl">;
  history: Pick<RepositoryHistory, "list">;
  files: Pick<RepositoryFiles, "commitInfo">;
}

/** Of one range, the newest; more are an import. */
const maxCommits = 250;
/** Of one message, and of all that may fix something. */
const maxMessageChars = 16 * 1024;
const maxReadChars = 512 * 1024;
/** Of one range. */
const maxFixes = 1_000;
/** The database has no greater ones. */
const maxNumber = 2_147_483_647;
const mayFix = /(?:clos|fix|resolv).{0,30}\d/is;

/** The commit that fixes it, by the number of the issue, which need not exist. */
export async function fixesOf(
  { addresses, history, files }: CommitFixesDeps,
  { repositoryId, fullName, sha, without }: CommitRange,
): Promise<Map<number, string>> {
  const place = { instance: addresses.webUrl };
  const shas = await history.list(repositoryId, { sha, without }, { offset: 0, limit: maxCommits });
  const fixes = new Map<number, string>();
  let readable = maxReadChars;
  for (const commit of shas) {
    const message = (await files.commitInfo(repositoryId, commit))?.message.slice(0, maxMessageChars) ?? "";
    if (!mayFix.test(message)) continue;
    readable -= message.length;
    if (readable < 0 || fixes.size >= maxFixes) break;
    for (const { repository, number } of closingReferencesOf(message, place))
      if (number <= maxNumber && (repository === undefined || repository.toLowerCase() === fullName))
        fixes.set(number, commit);
  }
  return fixes;
}
