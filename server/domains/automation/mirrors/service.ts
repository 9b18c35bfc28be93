/** Mirrors as the administrators of repositories set them up. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Mirror, MirrorSet, MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { allRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { recordRepositoryEvents, type Mirroring } from "../../hosting/domain.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { changesOf, storedSettings } from "./change.ts";
import { limitKept } from "./kept-objects.store.ts";
import { refuseCircles, type OwnSourceDeps } from "./own-source.ts";
import { presentMirror, presentSync } from "./present.ts";
import { scheduleKey } from "./schedules.ts";
import { addScheduleIntent, type MirrorSchedules } from "./sync-schedules.ts";
import { readSourceAddress } from "./source-address.ts";
import * as store from "./mirrors.store.ts";
import { listSyncs } from "./syncs.store.ts";

export interface MirrorService {
  /** Throws `not_found` where the repository is no mirror; so do the following but `set`. */
  get(repository: RepositoryRef): Promise<Mirror>;
  /** Throws `validation_failed`, and `conflict` for a repository with refs that nobody agreed to replace. */
  set(actor: Actor, repository: RepositoryRef, wanted: MirrorSet): Promise<Mirror>;
  /** Its content stays. */
  remove(actor: Actor, repository: RepositoryRef): Promise<void>;
  /** As soon as a worker has time for it. */
  requestSync(actor: Actor, repository: RepositoryRef): Promise<Mirror>;
  history(repository: RepositoryRef, page: PageQuery): Promise<{ items: MirrorSync[]; total: number }>;
}

export interface MirrorServiceDeps extends OwnSourceDeps {
  db: Database;
  git: Git;
  storage: RepositoryStorage;
  encryption: Encryption;
  addresses: Addresses;
  mirroring: Mirroring;
  schedules: Pick<MirrorSchedules, "nextTimes">;
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
}

export function createMirrorService(deps: MirrorServiceDeps): MirrorService {
  const { db, addresses, mirroring } = deps;

  async function get(repository: RepositoryRef): Promise<Mirror> {
    const row = await store.findMirror(db, repository.id);
    if (!row) throw new AppError("not_found");
    const nextTimes = repository.archived ? [] : await deps.schedules.nextTimes(repository.id);
    return presentMirror(row, { repository, nextTimes: nextTimes ?? [], addresses });
  }

  return {
    get,
    async set(actor, repository, wanted) {
      const source = readSourceAddress(wanted.url, deps.mayDial);
      await refuseCircles(deps, actor, { repository, source });
      const before = await store.findMirror(db, repository.id);
      if (!before && repository.mirror)
        throw new AppError("conflict", {
          message: "The repository is being imported: wait until that has ended.",
        });
      if (!before && !wanted.replace) await requireEmpty(deps, repository);
      const id = before?.id ?? newId("mirr");
      const settings = await storedSettings(deps.encryption, { id, source, wanted, before });
      const after = { ...settings, repositoryId: repository.id, url: source.url };
      await db.transaction(async (tx) => {
        await mirroring.setMirror(tx, repository.id, true);
        const now = await store.lockMirror(tx, repository.id);
        if (now?.id !== before?.id) throw new AppError("conflict", { message: changedMeanwhile });
        const changes = before && changesOf(before, after, wanted);
        if (changes) await store.updateMirror(tx, after, changes.syncsNow ? "manual" : null);
        else
          await store.insertMirror(tx, { ...after, id, replaces: wanted.replace, createdBy: actor.userId });
        await record(
          tx,
          { actor, repository, isNew: !before },
          {
            action: before ? "mirror.update" : "mirror.create",
            details: { url: after.url, ...(changes ? { changed: changes.names } : {}) },
          },
        );
        await addScheduleIntent(tx, scheduleOf(repository.id));
      });
      return get(repository);
    },
    async remove(actor, repository) {
      await db.transaction(async (tx) => {
        await mirroring.setMirror(tx, repository.id, false);
        const url = await store.deleteMirror(tx, repository.id);
        if (url === undefined) throw new AppError("not_found");
        await limitKept(tx, repository.id);
        await record(tx, { actor, repository, isNew: true }, { action: "mirror.delete", details: { url } });
        await addScheduleIntent(tx, scheduleOf(repository.id));
      });
    },
    async requestSync(actor, repository) {
      await db.transaction(async (tx) => {
        const url = await store.requestSync(tx, repository.id);
        if (url === undefined) throw new AppError("not_found");
        await record(tx, { actor, repository, isNew: false }, { action: "mirror.sync", details: { url } });
        await addScheduleIntent(tx, scheduleOf(repository.id));
      });
      return get(repository);
    },
    async history(repository, page) {
      const mirror = await store.findMirror(db, repository.id);
      if (!mirror) throw new AppError("not_found");
      const { rows, total } = await listSyncs(db, mirror.id, page);
      return { items: rows.map(presentSync), total };
    },
  };
}

const scheduleOf = (repositoryId: string) => ({ key: scheduleKey, repositoryId, at: repositoryId });
const changedMeanwhile = "The mirror was changed in the meantime; read it again.";

/** Throws `conflict`: what is there would be replaced. */
async function requireEmpty({ git, storage }: MirrorServiceDeps, repository: RepositoryRef): Promise<void> {
  const refs = await allRefs(git.start, storage.directory(repository.id));
  if (refs.size === 0) return;
  const found = refs.size === 1 ? "1 branch or tag" : `${refs.size} branches and tags`;
  throw new AppError("conflict", {
    message: `The repository has ${found}, which would be replaced by those of the source. See what would change with the preview, and confirm it with \`replace\`.`,
  });
}

/** `isNew`: whether the repository is a mirror has changed, of which followers are told. */
async function record(
  tx: Transaction,
  { actor, repository, isNew }: { actor: Actor; repository: RepositoryRef; isNew: boolean },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const name = `${repository.owner}/${repository.name}`;
  await recordAudit(tx, actor, {
    action,
    target: { type: "repository", id: repository.id, name },
    details: details ?? {},
  });
  if (!isNew) return;
  const subject = { changes: { mirror: { from: action === "mirror.delete" } } };
  await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
    { kind: "repository", action: "edited", subject },
  ]);
}
