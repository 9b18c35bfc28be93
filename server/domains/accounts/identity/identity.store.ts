/** What a credential stands for, in PostgreSQL. Lookups are by SHA-256, so no comparison depends on the secret. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Queryable } from "../../../platform/db/database.ts";

export interface TokenRow {
  token_id: string;
  user_id: string;
  username: string;
  user_type: "user" | "bot";
  is_admin: boolean;
  scopes: Scope[];
  /** The most that tokens of the bot may have; null for people. */
  bot_scopes: Scope[] | null;
  repository_ids: string[] | null;
  address_ranges: string[] | null;
  /** Until it expires, by the database's clock; null: never. */
  ms_left: number | null;
}

/** A token of a person or a bot that is neither revoked nor expired, of a user who is not suspended. */
export function findAccessToken(db: Queryable, hash: Buffer): Promise<TokenRow | undefined> {
  return db.one<TokenRow>(`${liveToken} and t.token_hash = $1`, [hash]);
}

/** As `findAccessToken`, for what was derived from the token. */
export function findAccessTokenById(db: Queryable, id: string): Promise<TokenRow | undefined> {
  return db.one<TokenRow>(`${liveToken} and t.id = $1`, [id]);
}

const liveToken = `select t.id as token_id, u.id as user_id, u.username, u.type as user_type, u.is_admin, t.scopes,
    b.scopes as bot_scopes, t.repository_ids, t.address_ranges,
    (extract(epoch from t.expires_at - now()) * 1000)::float8 as ms_left
  from access_tokens t join users u on u.id = t.user_id left join bots b on b.user_id = u.id
  where t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) and not u.suspended`;

export interface JobTokenRow {
  attempt_id: string;
  repository_id: string;
  user_id: string;
  username: string;
}

/** A job's token counts while its attempt is leased, and acts for the user who started the run. */
export function findJobToken(db: Queryable, hash: Buffer): Promise<JobTokenRow | undefined> {
  return db.one<JobTokenRow>(`${leasedAttempt} and a.token_hash = $1`, [hash]);
}

/** As `findJobToken`, for what was derived from the token. */
export function findJobByAttempt(db: Queryable, attemptId: string): Promise<JobTokenRow | undefined> {
  return db.one<JobTokenRow>(`${leasedAttempt} and a.id = $1`, [attemptId]);
}

const leasedAttempt = `select a.id as attempt_id, a.repository_id, u.id as user_id, u.username
  from job_attempts a join pipelines p on p.id = a.pipeline_id join users u on u.id = p.triggered_by
  where a.state = 'leased' and not u.suspended`;

export interface SessionHolderRow {
  session_id: string;
  user_id: string;
  username: string;
  is_admin: boolean;
  /** Time to note that the session is in use. */
  stale: boolean;
}

/** A live session of a user who is not suspended. */
export function findSessionHolder(db: Queryable, hash: Buffer): Promise<SessionHolderRow | undefined> {
  return db.one<SessionHolderRow>(`${liveSession} and s.token_hash = $1`, [hash]);
}

/** As `findSessionHolder`, for what was derived from the session. */
export function findSessionById(db: Queryable, id: string): Promise<SessionHolderRow | undefined> {
  return db.one<SessionHolderRow>(`${liveSession} and s.id = $1`, [id]);
}

const liveSession = `select s.id as session_id, u.id as user_id, u.username, u.is_admin,
    s.last_seen_at < now() - interval '1 minute' as stale
  from sessions s join users u on u.id = s.user_id where s.expires_at > now() and not u.suspended`;
