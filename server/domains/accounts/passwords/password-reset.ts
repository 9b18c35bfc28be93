/** Sets a new password for a user who proves, by a token from a mail, that a verified address is theirs. */
import type { Database } from "../../../platform/db/database.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { findTokenOwner, useToken } from "../emails/account-tokens.ts";
import type { UserService } from "../users/service.ts";

export interface PasswordReset {
  /** Uses the token up, but only if the password is accepted. Throws `validation_failed` for either. */
  complete(actor: Actor, token: string, password: string): Promise<void>;
}

export function createPasswordReset(deps: {
  db: Database;
  users: Pick<UserService, "setPassword">;
}): PasswordReset {
  return {
    async complete(actor, token, password) {
      const owner = await findTokenOwner(deps.db, "reset_password", token);
      const user: Actor = { ...actor, kind: "user", userId: owner.user_id, username: owner.username };
      await deps.users.setPassword(user, password, async (tx) => {
        await useToken(tx, "reset_password", token);
      });
    },
  };
}
