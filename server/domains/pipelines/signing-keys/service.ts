/** Keys that sign jobs, as people see them. Every change is written to the audit log with it. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { maxSigningKeys, type SigningKey } from "@forgeline/schemas/signing-keys/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { makeKeyPair } from "./ed25519.ts";
import { presentSigningKey } from "./present.ts";
import * as store from "./signing-keys.store.ts";

/** Null: of the instance. */
export type SigningPlace = RepositoryRef | null;

export interface SigningKeyService {
  /** Newest first. */
  list(place: SigningPlace, page: PageQuery): Promise<{ items: SigningKey[]; total: number }>;
  /** Throws `conflict` past the limit. */
  create(actor: Actor, place: SigningPlace): Promise<SigningKey>;
  /** Throws `not_found`. */
  remove(actor: Actor, place: SigningPlace, id: string): Promise<void>;
}

export interface SigningKeyDeps {
  db: Database;
  encryption: Encryption;
  addresses: { baseUrl: string; webUrl: string };
}

export function createSigningKeyService({ db, encryption, addresses }: SigningKeyDeps): SigningKeyService {
  const shown = (row: store.SigningKeyRow, place: SigningPlace) => presentSigningKey(row, place, addresses);
  return {
    async list(place, page) {
      const { rows, total } = await store.list(db, place?.id ?? null, page);
      return { items: rows.map((row) => shown(row, place)), total };
    },
    create: (actor, place) =>
      db.transaction(async (tx) => {
        const repositoryId = place?.id ?? null;
        await store.hold(tx, repositoryId);
        if ((await store.count(tx, repositoryId)) >= maxSigningKeys)
          throw new AppError("conflict", {
            message: `There can be at most ${maxSigningKeys} keys here that sign jobs. Delete one that no runner trusts any more.`,
          });
        const id = newId("sgk");
        const { privateKey, publicKey } = makeKeyPair();
        const sealed = encryption.encrypt(id, privateKey);
        await store.insert(tx, { id, repositoryId, sealed, publicKey, createdBy: userIdOf(actor) });
        const details = { key: id, public_key: publicKey.toString("base64") };
        await recordAudit(tx, actor, { action: "signing_key.create", target: targetOf(id, place), details });
        const { rows } = await store.list(tx, repositoryId, { page: 1, per_page: maxSigningKeys });
        const row = rows.find((key) => key.id === id);
        if (!row) throw new Error("the key that was made is not there");
        return shown(row, place);
      }),
    remove: (actor, place, id) =>
      db.transaction(async (tx) => {
        if (!(await store.remove(tx, place?.id ?? null, id))) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "signing_key.delete",
          target: targetOf(id, place),
          details: { key: id },
        });
      }),
  };
}

/** Of a repository: the repository, so that its log has it. */
function targetOf(id: string, place: SigningPlace): AuditEntry["target"] {
  if (place) return { type: "repository", id: place.id, name: `${place.owner}/${place.name}` };
  return { type: "signing_key", id, name: id };
}
