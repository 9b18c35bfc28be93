/** Brings the Git repository of an import, from its host or out of an archive. */
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { openRemote } from "../../../platform/git/remote/open-remote.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { openLfs } from "../mirrors/lfs-access.ts";
import type { LfsObject } from "../mirrors/lfs-server.ts";
import { storedSource } from "../mirrors/source-address.ts";
import { problemOf } from "../mirrors/sync-problem.ts";
import type { ArchivedGit } from "./archives/archived-git.ts";
import { takeLargeOfArchive, withArchivedGit, type ReadArchiveDeps } from "./archives/read-archive.ts";
import type { BegunImport, Note } from "./imports.store.ts";
import { readPlace } from "./source-place.ts";
import { SourceProblem, SourceUnavailable } from "./source-problem.ts";
import type { SourceReader } from "./source-reader.ts";
import { takeGit, type GitTaking, type TakeGitDeps } from "./take-git.ts";
import { takeLargeFiles, type LargeFilesDeps } from "./take-large-files.ts";

export interface ReadGitDeps extends TakeGitDeps, LargeFilesDeps, ReadArchiveDeps {
  outbound: Outbound;
}

export interface GitReading {
  row: BegunImport;
  repository: RepositoryRef;
  reader: SourceReader;
  token: string | null;
  signal: AbortSignal;
}

/** After so many failures, what a connection costs in Git LFS is noted. */
const triesOfLarge = 3;

/** What was left out. Throws `SourceProblem`, `SourceUnavailable`, and whatever is no problem of the source. */
export function bringGit(deps: ReadGitDeps, reading: GitReading): Promise<Note[]> {
  return reading.row.from_archive ? gitOfArchive(deps, reading) : gitOfHost(deps, reading);
}

async function gitOfHost(deps: ReadGitDeps, reading: GitReading): Promise<Note[]> {
  const { row, repository, token, signal } = reading;
  const { gitUrl } = readPlace(
    { source: row.source, apiUrl: row.api_url, repository: row.source_path },
    () => true,
  );
  const login = {
    basic: token === null ? null : { username: "oauth2", password: token },
    privateKey: null,
    hostKey: null,
  };
  const source = storedSource(gitUrl);
  const remote = await openRemote(deps.outbound, { source, login, use: "fetch" });
  try {
    const takeLarge = async (objects: readonly LfsObject[]) => {
      const find = await openLfs({ source, login, remote, operation: "download", signal });
      const isLastTry = isLastTryOfLarge(row);
      return find
        ? takeLargeFiles(deps, { repositoryId: repository.id, objects, find, isLastTry, signal })
        : [];
    };
    return await takeRefs(deps, reading, { remote, head: null, takeLarge });
  } finally {
    await remote.close();
  }
}

function gitOfArchive(deps: ReadGitDeps, reading: GitReading): Promise<Note[]> {
  const takeLarge = (objects: readonly LfsObject[]) =>
    takeLargeOfArchive(deps, reading, { objects, isLastTry: isLastTryOfLarge(reading.row) });
  const take = (found: ArchivedGit) => takeRefs(deps, reading, { ...found, takeLarge });
  return withArchivedGit(deps, reading, take).catch((error: unknown) => {
    throw gitProblem(error, undefined);
  });
}

const isLastTryOfLarge = ({ failures }: BegunImport) => failures >= triesOfLarge;

function takeRefs(
  deps: ReadGitDeps,
  { row, repository, reader, signal }: GitReading,
  origin: Pick<GitTaking, "remote" | "head" | "takeLarge">,
): Promise<Note[]> {
  const numberOf = (ref: string) => {
    const number = row.include.includes("merge_requests") ? reader.headRef(ref) : undefined;
    // Higher ones are of merge requests that do not come: their numbers are free here.
    const here = (number ?? Infinity) + row.number_offset;
    return here > row.last_number ? undefined : here;
  };
  const taking = { ...origin, repository, signal, numberOf, wasWritable: row.attempt > 1 };
  return takeGit(deps, taking).catch((error: unknown) => {
    signal.throwIfAborted();
    throw gitProblem(error, origin.remote.problem());
  });
}

/** Whether another try may help is told by how the connection ended. */
function gitProblem(error: unknown, relayed: RelayProblem | undefined): unknown {
  const problem = problemOf(error, { side: "source", relayed });
  if (problem === undefined) return error;
  const mayBeOver =
    relayed?.kind === "cut" ||
    relayed?.kind === "unreachable" ||
    (relayed?.kind === "status" && relayed.status >= 500);
  return mayBeOver ? new SourceUnavailable(problem) : new SourceProblem(problem);
}
