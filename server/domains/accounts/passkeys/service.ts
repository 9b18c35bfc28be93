/** Passkeys: registered by signed-in users, and from then on sufficient to sign in. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  AuthenticationCredential,
  RegistrationCredential,
} from "@forgeline/schemas/passkeys/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { OpenedSession, SessionService } from "../sessions/service.ts";
import type { PasswordCheck } from "../sign-in/password-check.ts";
import { recordSignInFailure } from "../sign-in/record-failure.ts";
import type { SignInUser, UserService } from "../users/service.ts";
import { challengeIn, createCeremony, hashChallenge, newChallenge, type Ceremony } from "./ceremony.ts";
import * as store from "./passkeys.store.ts";
import type { PasskeyRow } from "./passkeys.store.ts";

const maxPasskeys = 20;
type RequestFacts = NonNullable<Actor["request"]>;

export interface PasskeyService {
  list(actor: Actor, page: PageQuery): Promise<{ rows: PasskeyRow[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<PasskeyRow>;
  /** Throws as `PasswordCheck.confirm`. */
  prepare(actor: Actor, password: string): ReturnType<Ceremony["creationOptions"]>;
  /** Throws `validation_failed` if the answer is not valid, `conflict` for a known passkey or one too many. */
  register(actor: Actor, name: string, credential: RegistrationCredential): Promise<PasskeyRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
  prepareSignIn(): ReturnType<Ceremony["requestOptions"]>;
  /** Throws `unauthorized` if the answer is not valid, `forbidden` for a suspended user. */
  signIn(
    credential: AuthenticationCredential,
    request: RequestFacts,
    replaces: string | undefined,
  ): Promise<OpenedSession>;
}

export interface PasskeyDeps {
  db: Database;
  users: Pick<UserService, "notify" | "findSignInUser">;
  sessions: Pick<SessionService, "open">;
  passwordCheck: Pick<PasswordCheck, "confirm">;
  webUrl: string;
}

export function createPasskeyService(deps: PasskeyDeps): PasskeyService {
  const { db } = deps;
  const ceremony = createCeremony(deps.webUrl);

  /** The challenge of the answer, now used up; undefined if we did not issue it for this user. */
  async function answered(clientDataJSON: string, userId: string | null): Promise<string | undefined> {
    const challenge = challengeIn(clientDataJSON);
    if (challenge === undefined) return undefined;
    return (await store.useChallenge(db, hashChallenge(challenge), userId)) ? challenge : undefined;
  }

  async function ask<T extends { challenge: string }>(userId: string | null, options: T): Promise<T> {
    await store.insertChallenge(db, hashChallenge(options.challenge), userId);
    return options;
  }

  /** Whose passkey answered, and its new count. */
  async function judge(credential: AuthenticationCredential) {
    const challenge = await answered(credential.response.clientDataJSON, null);
    const row = challenge === undefined ? undefined : await store.findByCredential(db, credential.id);
    if (challenge === undefined || !row) return undefined;
    const handle = credential.response.userHandle;
    if (handle && Buffer.from(handle, "base64url").toString("utf8") !== row.user_id) return undefined;
    const { credential_id: credentialId, public_key: publicKey, counter } = row;
    const count = await ceremony.authenticate(credential, challenge, { credentialId, publicKey, counter });
    const user = count === undefined ? undefined : await deps.users.findSignInUser(row.user_id);
    return count === undefined || !user ? undefined : { row, user, count };
  }

  async function refuse(user: SignInUser | undefined, request: RequestFacts): Promise<never> {
    await db.transaction((tx) => recordSignInFailure(tx, { user, request }, { method: "passkey" }));
    throw new AppError("unauthorized", { message: "The passkey was not accepted." });
  }

  return {
    list: (actor, page) => store.listPasskeys(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findPasskey(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async prepare(actor, password) {
      await deps.passwordCheck.confirm(actor, password, "password");
      const user = { id: userIdOf(actor), username: actor.username };
      const { rows } = await store.listPasskeys(db, user.id, { page: 1, per_page: maxPasskeys });
      const registered = rows.map((row) => row.credential_id);
      return ask(user.id, await ceremony.creationOptions(newChallenge(), user, registered));
    },
    async register(actor, name, credential) {
      const userId = userIdOf(actor);
      const challenge = await answered(credential.response.clientDataJSON, userId);
      const verified = challenge === undefined ? undefined : await ceremony.register(credential, challenge);
      if (!verified) throw notAccepted();
      const passkey = {
        id: newId("pky"),
        user_id: userId,
        name,
        credential_id: verified.credentialId,
        public_key: verified.publicKey,
        counter: verified.counter,
        transports: credential.response.transports ?? [],
        synced: verified.synced,
      };
      return insert(deps, actor, passkey);
    },
    async remove(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.deletePasskey(tx, userIdOf(actor), id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "user.passkey_remove",
          target: { type: "passkey", id, name: row.name },
        });
      });
    },
    prepareSignIn: async () => ask(null, await ceremony.requestOptions(newChallenge())),
    async signIn(credential, request, replaces) {
      const judged = await judge(credential);
      if (!judged) return refuse(undefined, request);
      const { row, user, count } = judged;
      if (user.suspended) throw new AppError("forbidden", { message: "This account is suspended." });
      const opened = await db.transaction(async (tx) =>
        (await store.countUse(tx, row.id, count))
          ? deps.sessions.open(tx, user, { method: "passkey", request, replaces })
          : undefined,
      );
      return opened ?? refuse(user, request);
    },
  };
}

function insert(deps: PasskeyDeps, actor: Actor, passkey: store.NewPasskey): Promise<PasskeyRow> {
  return deps.db.transaction(async (tx) => {
    const row = await store.insertPasskey(tx, passkey, maxPasskeys);
    if (!row)
      throw new AppError("conflict", {
        message: `The passkey is already registered, or you have reached the limit of ${maxPasskeys}.`,
      });
    await recordAudit(tx, actor, {
      action: "user.passkey_add",
      target: { type: "passkey", id: row.id, name: row.name },
    });
    await deps.users.notify(tx, row.user_id, {
      kind: "passkey_added",
      subject: "A passkey was added to your account",
      paragraphs: [
        `the passkey "${row.name}" can now sign in to your account.`,
        "If you did not add it, remove it, change your password and end your sessions.",
      ],
    });
    return row;
  });
}

function notAccepted(): AppError {
  return invalidField(
    "credential",
    "invalid",
    "The response is invalid, expired, or meant for another page.",
  );
}
