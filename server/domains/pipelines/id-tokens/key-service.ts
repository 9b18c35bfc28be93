/** The keys that sign identity tokens, as administrators see and replace them. */
import type { IdTokenKeyRotation, IdTokenKeys } from "@forgeline/schemas/id-tokens/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { presentIdTokenKey } from "./present.ts";
import { currentOf, type SigningKeys } from "./signing-keys.ts";

export interface IdTokenKeyService {
  list(): Promise<IdTokenKeys>;
  /** Makes a key that signs from now on; calling it again makes another. */
  rotate(actor: Actor, how: IdTokenKeyRotation): Promise<IdTokenKeys>;
}

export function createIdTokenKeyService(
  db: Database,
  keys: Pick<SigningKeys, "list" | "replace">,
): IdTokenKeyService {
  async function list(): Promise<IdTokenKeys> {
    const all = await keys.list();
    const current = currentOf(all);
    return { keys: all.map((key) => presentIdTokenKey(key, current)) };
  }

  return {
    list,
    async rotate(actor, { withdraw_earlier: withdrawEarlier }) {
      await db.transaction(async (tx) => {
        const id = await keys.replace(tx, { withdrawEarlier });
        await recordAudit(tx, actor, {
          action: "admin.id_token_key_rotate",
          target: { type: "id_token_key", id, name: id },
          details: { withdrawn: withdrawEarlier },
        });
      });
      return list();
    },
  };
}
