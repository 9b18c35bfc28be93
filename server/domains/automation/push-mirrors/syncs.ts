/** Syncs of push mirrors: a repository is sent to its target. */
import type { Readable } from "node:stream";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { openRemote } from "../../../platform/git/remote/open-remote.ts";
import type { PushLimits } from "../../../platform/git/remote/push-refs.ts";
import { printable } from "../../../platform/git/remote/push-status.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { loginOf } from "../mirrors/credentials.ts";
import { counted, leftOut, openLfs } from "../mirrors/lfs-access.ts";
import type { LfsObject } from "../mirrors/lfs-server.ts";
import { storedSource } from "../mirrors/source-address.ts";
import {
  createSyncRunner,
  stopped,
  type Ran,
  type RunningSync,
  type RunSync,
  type SyncLifecycleDeps,
} from "../mirrors/sync-lifecycle.ts";
import { insertSync, notePlan, stopOfMirror } from "../mirrors/syncs.store.ts";
import { sendLfsObjects } from "./lfs-target.ts";
import { sendRefs, type Sent } from "./send-refs.ts";
import * as store from "./push-syncs.store.ts";

export interface PushMirrorSyncs {
  /** See `createSyncRunner`; the id is the push mirror's. */
  sync: RunSync;
  /** For work that was cancelled or has failed: ends what runs. */
  giveUp(id: string): Promise<void>;
}

export interface PushMirrorSyncDeps extends SyncLifecycleDeps {
  git: Git;
  storage: RepositoryStorage;
  encryption: Encryption;
  outbound: Outbound;
  lfs: PushMirrorLfs;
  limits: PushLimits;
}

/** What push mirrors need of Git LFS. */
export interface PushMirrorLfs {
  findReachable(
    repositoryId: string,
    reach: { directory: string; tips: readonly string[]; without: readonly string[] },
  ): Promise<LfsObject[]>;
  /** Of these, what the repository does not have. */
  findMissing(repositoryId: string, wanted: readonly LfsObject[]): Promise<LfsObject[]>;
  transfers: { open(repositoryId: string, object: LfsObject): Promise<Readable> };
}

type Due = store.DuePushMirror;

export function createPushMirrorSyncs(deps: PushMirrorSyncDeps): PushMirrorSyncs {
  return {
    sync: createSyncRunner<Due>(deps, {
      side: "target",
      lockDue: store.lockDue,
      insertSync: (tx, { mirrorId: pushMirrorId, ...sync }) =>
        insertSync(tx, { ...sync, mirrorId: null, pushMirrorId }),
      clearRequest: store.clearRequest,
      noteSuccess: (tx, { id, url }, hostKey) => store.noteSuccess(tx, id, { hostKey, url }),
      // A ref that is always refused must not hold up what else is pushed.
      noteFailure: (tx, { id, url, failures }, { hostKey, isPartial }) =>
        store.noteFailure(tx, id, { hostKey, url, waitMs: isPartial ? null : waitMs(failures + 1) }),
      noteAlert: store.noteAlert,
      alertedOf: ({ id, url, repository_id: repositoryId }) => ({
        direction: "push",
        repositoryId,
        url,
        page: `settings/push-mirrors/${id}`,
      }),
      run: (sync) => run(deps, sync),
    }),
    giveUp: (id) => stopOfMirror(deps.db, id, stopped),
  };
}

const firstWaitMs = 5 * 60 * 1000;
const longestWaitMs = 24 * 60 * 60 * 1000;

/** After so many failures in a row. */
export function waitMs(failures: number): number {
  return Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 20), longestWaitMs);
}

async function run(
  deps: PushMirrorSyncDeps,
  { mirror, syncId, signal, report, seen }: RunningSync<Due>,
): Promise<Ran> {
  const target = storedSource(mirror.url);
  const login = loginOf(deps.encryption, mirror.id, mirror);
  const directory = deps.storage.directory(mirror.repository_id);
  const remote = await openRemote(deps.outbound, { source: target, login, use: "push" });
  const sendLfs = async (tips: readonly string[], without: readonly string[]) => {
    const repositoryId = mirror.repository_id;
    if (!mirror.lfs) return { objects: 0, notes: [] };
    const wanted = await deps.lfs.findReachable(repositoryId, { directory, tips, without });
    if (wanted.length === 0) return { objects: 0, notes: [] };
    const find = await openLfs({ source: target, login, remote, operation: "upload", signal });
    if (!find) return { objects: 0, notes: [leftOut(wanted.length, "target", target)] };
    const missing = new Set((await deps.lfs.findMissing(repositoryId, wanted)).map(({ oid }) => oid));
    const objects = await sendLfsObjects(
      deps.outbound,
      { find, signal },
      {
        objects: wanted.filter(({ oid }) => !missing.has(oid)),
        open: (object) => deps.lfs.transfers.open(repositoryId, object),
      },
    );
    return {
      objects,
      notes: missing.size > 0 ? [`${counted(missing.size)} not sent: never uploaded here.`] : [],
    };
  };
  try {
    const sent = await sendRefs(deps, {
      mirror,
      directory,
      remote,
      signal,
      progress: report,
      plan: (changes) => notePlan(deps.db, syncId, changes),
      sendLfs,
      needsLfs: mirror.lfs && !mirror.lfs_complete,
    });
    crashPoint("push_mirror.recorded-before-finished");
    const diverged = { refs: sent.diverged.slice(0, maxDiverged), count: sent.diverged.length };
    return {
      outcome: sent.outcome,
      problem: problemIn(sent),
      isPartial: true,
      also: (tx) => store.noteDiverged(tx, mirror.id, diverged),
    };
  } finally {
    seen.hostKey = await remote.hostKey().catch(() => null);
    seen.problem = remote.problem();
    await remote.close();
  }
}

const maxDiverged = 100;
const named = 3;

/** What the target did not get. */
function problemIn({ diverged, refused, said }: Sent): string | undefined {
  const list = (refs: readonly string[]) =>
    [...refs.slice(0, named), ...(refs.length > named ? [`${refs.length - named} more`] : [])].join(", ");
  const sentences = [
    ...(diverged.length > 0
      ? [
          `Somebody else has changed what is at the target, so it was left as it is: ${list(diverged.map(({ ref }) => ref))}.`,
        ]
      : []),
    ...(refused.length > 0
      ? [
          `The target refused: ${list(refused.map(({ ref, reason }) => `${ref} (${reason})`))}.${saying(said)}`,
        ]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function saying(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("remote: "))
    .map((line) => line.slice("remote: ".length));
  const said = printable(lines.slice(-named).join(" "));
  return said === "" ? "" : ` It said: ${said}`;
}
