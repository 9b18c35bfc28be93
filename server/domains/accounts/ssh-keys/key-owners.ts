/** The owner of an SSH key: a person or one repository. Looked up at each login and again at each command. */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { findHolder, findHolderById, touchKey, type HolderRow } from "./holder.store.ts";

export interface KeyOwner {
  keyId: string;
  kind: string;
  /** Type and base64. */
  publicKey: string;
  /** Name in the greeting: a user's name, or `OWNER/REPO`. */
  name: string;
  /** Without a request. */
  actor: Actor;
}

export interface KeyOwners {
  /** Undefined for an unknown or removed key, or one of a suspended user; never cached. */
  find(fingerprint: string): Promise<KeyOwner | undefined>;
  /** The same for what was derived from a key. */
  findById(keyId: string): Promise<KeyOwner | undefined>;
  /** Records that the key was used, at most once a minute; does not wait, and never throws. */
  touch(keyId: string): void;
}

export function createKeyOwners({ db, logger }: { db: Database; logger: Logger }): KeyOwners {
  return {
    async find(fingerprint) {
      const row = await findHolder(db, fingerprint);
      return row && holderOf(row);
    },
    async findById(keyId) {
      const row = await findHolderById(db, keyId);
      return row && holderOf(row);
    },
    touch(keyId) {
      touchKey(db, keyId).catch((error: Error) =>
        logger.debug({ error: error.message }, "could not record the use of a key"),
      );
    },
  };
}

const nobody = { tokenId: null, sessionId: null, repositoryIds: null, job: null, request: null } as const;

function holderOf(row: HolderRow): KeyOwner {
  return { ...ownerOf(row), keyId: row.id, kind: row.kind, publicKey: row.public_key };
}

function ownerOf(row: HolderRow): Pick<KeyOwner, "name" | "actor"> {
  if (row.repository_id === null) {
    const { username, user_type: kind, is_admin: isAdmin, user_id: userId } = row;
    return { name: username, actor: { ...nobody, kind, userId, username, isAdmin, scopes: ["repo:write"] } };
  }
  const { repository_id: repositoryId, permission, username, user_id: userId } = row;
  return {
    name: row.repository,
    actor: {
      ...nobody,
      kind: "deploy_key",
      userId: null,
      username: `deploy key of ${row.repository}`,
      isAdmin: false,
      scopes: permission === "write" ? ["repo:write"] : ["repo:read"],
      deployKey: {
        id: row.id,
        repositoryId,
        permission,
        addedBy: userId === null || username === null ? null : { id: userId, username },
      },
    },
  };
}
