/** What a repository would become if it mirrored a source: asks the source, and changes nothing. */
import type { MirrorPreview, MirrorPreviewRequest } from "@forgeline/schemas/mirrors/resource.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { withoutCaller } from "../../../platform/git/processes/admission.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { listRemoteRefs } from "../../../platform/git/remote/list-remote-refs.ts";
import { openRemote } from "../../../platform/git/remote/open-remote.ts";
import { allRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { refProblem } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { chooseLogin } from "./credentials.ts";
import { findMirror } from "./mirrors.store.ts";
import { planChanges } from "./plan-changes.ts";
import { presentPreview } from "./present.ts";
import { createRefFilter, readPatterns } from "./ref-patterns.ts";
import { readSourceAddress } from "./source-address.ts";
import { problemOf } from "./sync-problem.ts";

/** Throws `validation_failed`, `conflict` with the reason where the source cannot be read, and `unavailable`. */
export type PreviewMirror = (
  repository: RepositoryRef,
  wanted: MirrorPreviewRequest,
) => Promise<MirrorPreview>;

export interface PreviewDeps {
  db: Database;
  git: Git;
  storage: RepositoryStorage;
  encryption: Encryption;
  outbound: Outbound;
}

const patienceMs = 20_000;

export function createPreview(deps: PreviewDeps): PreviewMirror {
  const { db, git, storage, encryption, outbound } = deps;
  return async (repository, wanted) => {
    const source = readSourceAddress(wanted.url, outbound.mayDial);
    const follows = createRefFilter(readPatterns(wanted.refs));
    const before = await findMirror(db, repository.id);
    const login = await chooseLogin(encryption, { source, wanted, before });
    const directory = storage.directory(repository.id);
    const here = await allRefs(git.start, directory);
    const signal = AbortSignal.timeout(patienceMs);
    let relayed: RelayProblem | undefined;
    try {
      const remote = await openRemote(outbound, { source, login, use: "fetch" });
      try {
        const list = () => listRemoteRefs(git.run, remote, { directory, signal });
        const { refs, head } = await withoutCaller(list);
        const rules = { follows, prune: wanted.prune, problemWith: refProblem };
        return presentPreview(planChanges(here, refs, rules), head);
      } finally {
        relayed = remote.problem();
        await remote.close();
      }
    } catch (error) {
      const problem = signal.aborted ? tooSlow : problemOf(error, { side: "source", relayed });
      if (problem === undefined) throw error;
      throw new AppError("conflict", { message: problem, cause: error });
    }
  };
}

const tooSlow = "The source did not respond within 20 seconds.";
