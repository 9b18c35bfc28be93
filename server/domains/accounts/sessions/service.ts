/** Browser sessions: opened by signing in, ended by their user or by what happens to the account. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hashToken, newSessionToken } from "../../../platform/credentials/credential.ts";
import * as store from "./sessions.store.ts";
import type { SessionRow, SignInMethod } from "./sessions.store.ts";

export interface OpenedSession {
  row: SessionRow;
  /** For the cookie; it is not stored anywhere. */
  token: string;
  maxAgeSeconds: number;
}

export interface SignInFacts {
  method: SignInMethod;
  secondFactor?: "otp" | "recovery_code" | undefined;
  /** With `sso`: the identity that opens it, with which it ends, and the name of the organization. */
  sso?: { identityId: string; organization: string } | undefined;
  request: NonNullable<Actor["request"]>;
  replaces?: string | undefined;
}

export interface SessionService {
  /**
   * A new session with a new token, recorded as `auth.login`. `replaces`: the token of the session that the browser had so far,
   * which ends if it is of the same user.
   */
  open(tx: Transaction, user: { id: string; username: string }, how: SignInFacts): Promise<OpenedSession>;
  list(actor: Actor, page: PageQuery): Promise<{ rows: SessionRow[]; total: number }>;
  /** `current` is the session of the actor. Throws `not_found`. */
  get(actor: Actor, id: string): Promise<SessionRow>;
  /** Effective at once on every server. Throws `not_found`. */
  end(actor: Actor, id: string): Promise<void>;
  endOthers(actor: Actor): Promise<void>;
  /** Every session of a user, because of what happened to the account. */
  endAll(tx: Transaction, userId: string): Promise<void>;
  /** Records that it was used. */
  touch(id: string): Promise<void>;
}

export function createSessionService(db: Database): SessionService {
  const idOf = (actor: Actor, id: string) => (id === "current" ? (actor.sessionId ?? "") : id);
  return {
    async open(tx, user, { method, secondFactor, sso, request, replaces }) {
      const token = newSessionToken();
      const id = newId("ses");
      const actor: Actor = { ...signedIn, userId: user.id, username: user.username, sessionId: id, request };
      const old = replaces && (await store.deleteByHash(tx, user.id, hashToken(replaces)));
      if (old) await tx.notify("token", old.id);
      const row = await store.insertSession(tx, {
        id,
        userId: user.id,
        hash: hashToken(token),
        method,
        identityId: sso?.identityId ?? null,
        ipAddress: request.ipAddress,
        userAgent: request.userAgent,
      });
      await recordAudit(tx, actor, {
        action: "auth.login",
        target: { type: "user", id: user.id, name: user.username },
        details: {
          method: method === "sso" ? "SSO" : method,
          ...(secondFactor ? { second_factor: secondFactor } : {}),
          ...(sso ? { organization: sso.organization } : {}),
          session_id: id,
        },
      });
      return { row, token, maxAgeSeconds: store.maxDays * 24 * 3600 };
    },
    list: (actor, page) => store.listSessions(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findSession(db, userIdOf(actor), idOf(actor, id));
      if (!row) throw new AppError("not_found");
      return row;
    },
    async end(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.deleteSession(tx, userIdOf(actor), idOf(actor, id));
        if (!row) throw new AppError("not_found");
        await recordEnd(tx, actor, row);
      });
    },
    async endOthers(actor) {
      await db.transaction(async (tx) => {
        for (const row of await store.deleteSessions(tx, userIdOf(actor), actor.sessionId))
          await recordEnd(tx, actor, row);
      });
    },
    async endAll(tx, userId) {
      for (const { id } of await store.deleteSessions(tx, userId, null)) await tx.notify("token", id);
    },
    touch: (id) => store.touchSession(db, id),
  };
}

const signedIn = {
  kind: "user",
  repositoryIds: null,
  isAdmin: false,
  scopes: [],
  tokenId: null,
  job: null,
} as const;

async function recordEnd(tx: Transaction, actor: Actor, row: SessionRow): Promise<void> {
  await recordAudit(tx, actor, {
    action: "auth.logout",
    target: { type: "session", id: row.id, name: row.user_agent.slice(0, 100) },
    details: { session_id: row.id },
  });
  await tx.notify("token", row.id);
}
