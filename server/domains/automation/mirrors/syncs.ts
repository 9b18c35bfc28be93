/** Syncs of mirrors that follow a source. */
import { crashPoint } from "../../../platform/crash-point.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { openRemote } from "../../../platform/git/remote/open-remote.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { loginOf } from "./credentials.ts";
import { counted, leftOut, openLfs } from "./lfs-access.ts";
import type { LfsObject } from "./lfs-server.ts";
import { takeLfsObjects } from "./lfs-source.ts";
import { storedSource } from "./source-address.ts";
import {
  createSyncRunner,
  stopped,
  type RunningSync,
  type RunSync,
  type SyncLifecycleDeps,
} from "./sync-lifecycle.ts";
import * as store from "./syncs.store.ts";
import { takeSource, type TakeSourceDeps } from "./take-source.ts";
import { backOffMs } from "./timing.ts";

export interface MirrorSyncs {
  /** See `createSyncRunner`; the id is the repository's. */
  sync: RunSync;
  /** For work that was cancelled or has failed: ends what runs. */
  giveUp(repositoryId: string): Promise<void>;
}

export interface MirrorSyncDeps extends TakeSourceDeps, SyncLifecycleDeps {
  encryption: Encryption;
  outbound: Outbound;
  lfs: MirrorLfs;
}

/** What mirrors need of Git LFS. */
export interface MirrorLfs {
  findMissing(repositoryId: string, wanted: readonly LfsObject[]): Promise<LfsObject[]>;
  transfers: {
    receive(
      who: { repositoryId: string; userId: string | null },
      object: LfsObject,
      source: AsyncIterable<Buffer>,
    ): Promise<void>;
  };
}

type Due = store.DueMirror & { repository: RepositoryRef };

export function createMirrorSyncs(deps: MirrorSyncDeps): MirrorSyncs {
  return {
    sync: createSyncRunner<Due>(deps, {
      side: "source",
      async lockDue(tx, repositoryId) {
        const repository = await deps.mirroring.find(repositoryId);
        const row = repository && (await store.lockDue(tx, repositoryId));
        return row && { ...row, repository };
      },
      insertSync: (tx, sync) => store.insertSync(tx, { ...sync, pushMirrorId: null }),
      clearRequest: store.clearRequest,
      noteSuccess: (tx, { id, url: sourceUrl }, hostKey) => store.noteSuccess(tx, id, { hostKey, sourceUrl }),
      noteFailure(tx, mirror, { hostKey }) {
        const { cron, timezone, interval_minutes: intervalMinutes } = mirror;
        const waitMs = backOffMs({ intervalMinutes, cron, timezone }, mirror.failures + 1);
        return store.noteFailure(tx, mirror.id, { hostKey, sourceUrl: mirror.url, waitMs });
      },
      noteAlert: store.noteAlert,
      alertedOf: ({ repository_id: repositoryId, url }) => ({
        direction: "pull",
        repositoryId,
        url,
        page: "settings/mirror",
      }),
      async run(sync) {
        const outcome = await run(deps, sync);
        crashPoint("mirror.recorded-before-finished");
        return { outcome };
      },
    }),
    giveUp: (repositoryId) => store.stopOfRepository(deps.db, repositoryId, stopped),
  };
}

async function run(
  deps: MirrorSyncDeps,
  { mirror, syncId, signal, report, seen }: RunningSync<Due>,
): Promise<store.Outcome> {
  const { repository } = mirror;
  const source = storedSource(mirror.url);
  const login = loginOf(deps.encryption, mirror.id, mirror);
  const remote = await openRemote(deps.outbound, { source, login, use: "fetch" });
  async function takeLfs(largeFiles: readonly LfsObject[]): Promise<{ objects: number; notes: string[] }> {
    if (!mirror.lfs || largeFiles.length === 0) return { objects: 0, notes: [] };
    const missing = await deps.lfs.findMissing(repository.id, largeFiles);
    if (missing.length === 0) return { objects: 0, notes: [] };
    const find = await openLfs({ source, login, remote, operation: "download", signal });
    if (!find) return { objects: 0, notes: [leftOut(missing.length, "source", source)] };
    let objects = 0;
    const who = { repositoryId: repository.id, userId: null };
    const place = { find, signal };
    const absent = await takeLfsObjects(deps.outbound, place, {
      objects: missing,
      async receive(object, bytes) {
        await deps.lfs.transfers.receive(who, object, bytes).catch(mustBeLasting);
        objects += 1;
        report({ lfsObjects: objects });
      },
    });
    return {
      objects,
      notes: absent > 0 ? [`${counted(absent)} not taken: missing at the source.`] : [],
    };
  }
  try {
    return await takeSource(deps, {
      repository,
      mirror,
      remote,
      signal,
      progress: report,
      plan: (changes) => store.notePlan(deps.db, syncId, changes),
      takeLfs,
      needsLfs: mirror.lfs && !mirror.lfs_complete,
    });
  } finally {
    seen.hostKey = await remote.hostKey().catch(() => null);
    seen.problem = remote.problem();
    await remote.close();
  }
}

/** Another transfer of the same object ends by itself. */
function mustBeLasting(error: unknown): never {
  if (error instanceof AppError && error.code === "rate_limit_exceeded")
    throw new AppError("unavailable", { message: error.message, cause: error });
  throw error;
}
