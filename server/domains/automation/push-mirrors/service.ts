/** Push mirrors as the administrators of repositories set them up. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import {
  maxPushMirrors,
  type PushMirror,
  type PushMirrorCreate,
  type PushMirrorUpdate,
} from "@forgeline/schemas/push-mirrors/resource.ts";
import { pushMirrorKey } from "@forgeline/schemas/push-mirrors/workflow.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RemoteSource } from "../../../platform/git/remote/remote-source.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryHere } from "../mirrors/own-source.ts";
import { presentSync } from "../mirrors/present.ts";
import type { MirrorSchedules } from "../mirrors/sync-schedules.ts";
import { listSyncs } from "../mirrors/syncs.store.ts";
import { completed, pushChangesOf, readTargetAddress, storedPushMirror } from "./change.ts";
import { presentPushMirror } from "./present.ts";
import { forgetAll } from "./pushed-refs.store.ts";
import { addPushScheduleIntent } from "./schedules.ts";
import * as store from "./push-mirrors.store.ts";

export interface PushMirrorService {
  list(repository: RepositoryRef, page: PageQuery): Promise<{ items: PushMirror[]; total: number }>;
  /** Throws `not_found`; so do the following but `create`. */
  get(repository: RepositoryRef, id: string): Promise<PushMirror>;
  /** Throws `validation_failed`, and `conflict` for a target that the repository has already, and past the most. */
  create(actor: Actor, repository: RepositoryRef, wanted: PushMirrorCreate): Promise<PushMirror>;
  /** Throws as `create`. */
  update(
    actor: Actor,
    repository: RepositoryRef,
    change: { id: string; wanted: PushMirrorUpdate },
  ): Promise<PushMirror>;
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
  /** As soon as a worker has time for it. */
  requestSync(actor: Actor, repository: RepositoryRef, id: string): Promise<PushMirror>;
  history(
    repository: RepositoryRef,
    id: string,
    page: PageQuery,
  ): Promise<{ items: MirrorSync[]; total: number }>;
}

export interface PushMirrorServiceDeps {
  db: Database;
  encryption: Encryption;
  addresses: Addresses;
  schedules: Pick<MirrorSchedules, "nextTimes">;
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
}

export function createPushMirrorService(deps: PushMirrorServiceDeps): PushMirrorService {
  const { db, encryption, addresses } = deps;

  async function find(repository: RepositoryRef, id: string): Promise<store.PushMirrorRow> {
    const row = await store.findMirror(db, repository.id, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function show(repository: RepositoryRef, row: store.PushMirrorRow): Promise<PushMirror> {
    const at = pushMirrorKey({ repositoryId: repository.id, pushMirrorId: row.id });
    const rests = repository.archived || !row.enabled || row.not_before !== null;
    const nextTimes = rests ? [] : await deps.schedules.nextTimes(at);
    return presentPushMirror(row, { repository, nextTimes: nextTimes ?? [], addresses });
  }

  const get = async (repository: RepositoryRef, id: string) => show(repository, await find(repository, id));

  return {
    async list(repository, page) {
      const { rows, total } = await store.listMirrors(db, repository.id, page);
      return { items: await Promise.all(rows.map((row) => show(repository, row))), total };
    },
    get,
    async create(actor, repository, wanted) {
      const target = readTargetAddress(wanted.url, deps.mayDial);
      refuseItself(addresses, repository, target);
      const id = newId("pmir");
      const made = await storedPushMirror(encryption, { id, repository, target, wanted });
      await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        if ((await store.countMirrorsOf(tx, repository.id)) >= maxPushMirrors)
          throw new AppError("conflict", { message: `There can be at most ${maxPushMirrors} push mirrors.` });
        await refuseRival(tx, made);
        await store.insertMirror(tx, made, actor.userId);
        await record(
          tx,
          { actor, repository, id },
          { action: "push_mirror.create", details: { url: made.url } },
        );
        await addPushScheduleIntent(tx, { id, repository_id: repository.id });
      });
      return get(repository, id);
    },
    async update(actor, repository, { id, wanted: change }) {
      const before = await find(repository, id);
      const wanted = completed(before, change);
      const target = readTargetAddress(wanted.url, deps.mayDial);
      refuseItself(addresses, repository, target);
      const after = await storedPushMirror(encryption, { id, repository, target, wanted, before });
      const { names, syncsNow } = pushChangesOf(before, after, wanted);
      await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        await requireUnchanged(tx, before);
        await refuseRival(tx, after);
        await store.updateMirror(tx, after, syncsNow ? "manual" : null);
        if (names.includes("url")) await forgetAll(tx, id);
        const details = { url: after.url, changed: names };
        await record(tx, { actor, repository, id }, { action: "push_mirror.update", details });
        await addPushScheduleIntent(tx, before);
      });
      return get(repository, id);
    },
    async remove(actor, repository, id) {
      await db.transaction(async (tx) => {
        const url = await store.deleteMirror(tx, repository.id, id);
        if (url === undefined) throw new AppError("not_found");
        await record(tx, { actor, repository, id }, { action: "push_mirror.delete", details: { url } });
        await addPushScheduleIntent(tx, { id, repository_id: repository.id });
      });
    },
    async requestSync(actor, repository, id) {
      await db.transaction(async (tx) => {
        if (!(await store.lockMirror(tx, repository.id, id))) throw new AppError("not_found");
        const url = await store.requestSync(tx, id);
        await record(
          tx,
          { actor, repository, id },
          { action: "push_mirror.sync", details: { url: url ?? "" } },
        );
        await addPushScheduleIntent(tx, { id, repository_id: repository.id });
      });
      return get(repository, id);
    },
    async history(repository, id, page) {
      await find(repository, id);
      const { rows, total } = await listSyncs(db, id, page);
      return { items: rows.map(presentSync), total };
    },
  };
}

/** Throws `validation_failed`. Circles of several repositories end by themselves: what is there already is not pushed again. */
function refuseItself(addresses: Addresses, { owner, name }: RepositoryRef, target: RemoteSource): void {
  const here = repositoryHere(target, addresses);
  if (here?.owner.toLowerCase() === owner.toLowerCase() && here.name.toLowerCase() === name.toLowerCase())
    throw invalidField("url", "circle", "A repository cannot push to itself.");
}

async function refuseRival(tx: Transaction, mirror: store.StoredPushMirror): Promise<void> {
  if (await store.hasRival(tx, mirror))
    throw new AppError("conflict", { message: "The repository is pushed there already." });
}

/** Throws `conflict` where somebody else has changed the settings since they were read. */
async function requireUnchanged(tx: Transaction, before: store.PushMirrorRow): Promise<void> {
  const now = await store.lockMirror(tx, before.repository_id, before.id);
  if (!now) throw new AppError("not_found");
  if (now.updated_at.getTime() !== before.updated_at.getTime())
    throw new AppError("conflict", { message: "It was changed in the meantime; read it again." });
}

async function record(
  tx: Transaction,
  { actor, repository, id }: { actor: Actor; repository: RepositoryRef; id: string },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const name = `${repository.owner}/${repository.name}`;
  await recordAudit(tx, actor, {
    action,
    target: { type: "repository", id: repository.id, name },
    details: { push_mirror_id: id, ...details },
  });
}
