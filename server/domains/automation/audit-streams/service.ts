/** Streams of audit logs as people configure them. `owner` null: the instance's log. */
import type {
  AuditStream,
  AuditStreamSet,
  AuditStreamTest,
} from "@forgeline/schemas/audit-streams/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry, type AuditReader } from "../../operation/domain.ts";
import { readAuthority } from "../webhooks/authority.ts";
import { targetOfLog, type LogOwner } from "../audit-exports/log-owner.ts";
import * as store from "./audit-streams.store.ts";
import { changesOf } from "./changes.ts";
import { addStreamIntent } from "./intents.ts";
import { readSecrets, sealSecrets, type OpenTargetDeps } from "./open-target.ts";
import { presentAuditStream } from "./present.ts";
import { readTarget, type SettingsDeps } from "./target-settings.ts";
import { trySending } from "./try-sending.ts";

export interface AuditStreamService {
  /** Throws `not_found` where the log is sent nowhere; so do `remove` and `test`. */
  get(owner: LogOwner): Promise<AuditStream>;
  /** Throws `validation_failed`, and `conflict` where somebody else has changed it meanwhile. */
  set(actor: Actor, owner: LogOwner, wanted: AuditStreamSet): Promise<AuditStream>;
  remove(actor: Actor, owner: LogOwner): Promise<void>;
  test(actor: Actor, owner: LogOwner): Promise<AuditStreamTest>;
}

export interface AuditStreamServiceDeps extends OpenTargetDeps, SettingsDeps {
  db: Database;
  reader: Pick<AuditReader, "head">;
}

export function createAuditStreamService(deps: AuditStreamServiceDeps): AuditStreamService {
  const { db, reader, addresses } = deps;

  async function find(owner: LogOwner): Promise<store.StreamRow> {
    const row = await store.findStream(db, owner?.id ?? null);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function get(owner: LogOwner): Promise<AuditStream> {
    await reader.head(owner?.id ?? null);
    return presentAuditStream(await find(owner), addresses);
  }

  return {
    get,
    async set(actor, owner, wanted) {
      const ownerId = owner?.id ?? null;
      const head = await reader.head(ownerId);
      const before = await store.findStream(db, ownerId);
      const change = changeOf(deps, { before, wanted, head });
      await db.transaction(async (tx) => {
        await write(tx, { ownerId, before, head, change, createdBy: actor.userId });
        const changed = before ? { changed: changesOf(before, change, wanted) } : {};
        await record(
          tx,
          { actor, owner },
          {
            action: before ? "audit.stream_update" : "audit.stream_create",
            details: { target: change.stream.target, enabled: change.stream.enabled, ...changed },
          },
        );
        await addStreamIntent(tx, change.stream.id);
      });
      return get(owner);
    },
    async remove(actor, owner) {
      await db.transaction(async (tx) => {
        if (!(await store.deleteStream(tx, owner?.id ?? null))) throw new AppError("not_found");
        await record(tx, { actor, owner }, { action: "audit.stream_delete", details: {} });
      });
    },
    async test(actor, owner) {
      const row = await find(owner);
      await db.transaction((tx) =>
        record(tx, { actor, owner }, { action: "audit.stream_test", details: { target: row.target } }),
      );
      const usesPrevious = row.previous_until !== null && row.previous_until.getTime() > Date.now();
      return trySending(deps, { row: { ...row, uses_previous: usesPrevious }, actor, owner });
    },
  };
}

interface Change {
  stream: store.StoredStream;
  /** The last entry before those that are to be sent; null: as it is. */
  sentNumber: number | null;
  previousTokenHours: number | null;
  isNewAddress: boolean;
}

/** Throws `validation_failed`. `head`: where the log ends. */
function changeOf(
  deps: AuditStreamServiceDeps,
  { before, wanted, head }: { before: store.StreamRow | undefined; wanted: AuditStreamSet; head: number },
): Change {
  const { encryption } = deps;
  const known = before && { target: before.target, secrets: readSecrets(encryption, before) };
  const { target, secrets, previousTokenHours, isSameHost, isNewAddress } = readTarget(deps, wanted, known);
  const id = before?.id ?? newId("strm");
  return {
    stream: {
      id,
      target,
      sealedSecrets: sealSecrets(encryption, id, secrets),
      caCertificate:
        wanted.ca_certificate === undefined
          ? ((isSameHost ? before?.ca_certificate : null) ?? null)
          : readAuthority(wanted.ca_certificate),
      enabled: wanted.enabled ?? before?.enabled ?? true,
    },
    sentNumber: startOf(wanted, head),
    previousTokenHours,
    isNewAddress,
  };
}

/** Throws `conflict` where somebody else was faster. */
async function write(
  tx: Transaction,
  {
    ownerId,
    before,
    head,
    change: { stream, ...position },
    createdBy,
  }: {
    ownerId: string | null;
    before: store.StreamRow | undefined;
    head: number;
    change: Change;
    createdBy: string | null;
  },
): Promise<void> {
  if (before) {
    const now = await store.lockStream(tx, ownerId);
    if (now?.id !== before.id || now.revision !== before.revision) throw changedMeanwhile();
    return store.updateStream(tx, stream, position);
  }
  const sentNumber = position.sentNumber ?? head;
  if (!(await store.insertStream(tx, ownerId, { stream, sentNumber, createdBy }))) throw changedMeanwhile();
}

const changedMeanwhile = () =>
  new AppError("conflict", { message: "The stream was changed in the meantime; read it again." });

/** The last entry before those that are to be sent; null: as it is. */
function startOf({ start_seq: start }: AuditStreamSet, head: number): number | null {
  if (start === undefined) return null;
  if (start > head + 1)
    throw invalidField("start_seq", "too_large", `The log ends at ${head}: the next entry is ${head + 1}.`);
  return start - 1;
}

async function record(
  tx: Transaction,
  { actor, owner }: { actor: Actor; owner: LogOwner },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const target = targetOfLog(owner);
  await recordAudit(tx, actor, { action, target, details: details ?? {} });
}
