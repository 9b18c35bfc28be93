/** What a credential stands for, in PostgreSQL. Lookups are by SHA-256, so no comparison depends on the secret. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { IdentityRows } from "./identity.rows.ts";

const liveToken = `select t.id as token_id, u.id as user_id, u.username, u.type as user_type, u.is_admin, t.scopes,
    b.scopes as bot_scopes, t.repository_ids, t.address_ranges,
    (extract(epoch from t.expires_at - now()) * 1000)::float8 as ms_left
  from access_tokens t join users u on u.id = t.user_id left join bots b on b.user_id = u.id
  where t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) and not u.suspended`;

const level = levelSql({ repository: "r", user: "w.id", admin: "false" });
const writes = (user: string) =>
  `exists (select from users w where w.id = ${user} and not w.suspended and ${level} >= 'write')`;

// Whoever ran it again did not write the steps, and whoever wrote them must not gain by that: both must have Write.
const leasedAttempt = `select a.id as attempt_id, a.repository_id, u.id as user_id, coalesce(u.is_admin, false) as is_of_admin, a.job_id, a.pipeline_id,
    coalesce(u.username, p.event ->> 'actor', '') as username, a.token_scopes as scopes, a.token_limit,
    j.name || ' of ' || n.full_name || '#' || p.number as job_name,
    case when a.token_scopes && '{repo:write,pipeline:write}'
      then ${writes("p.triggered_by")} and (p.starts_as is null or p.starts_as = p.triggered_by or ${writes("p.starts_as")})
      else false end as may_write
  from job_attempts a join pipelines p on p.id = a.pipeline_id join jobs j on j.id = a.job_id
    join repositories r on r.id = a.repository_id join repository_names n on n.repository_id = r.id
    left join users u on u.id = p.triggered_by
  where a.state = 'leased' and u.suspended is not true`;

const liveSession = `select s.id as session_id, u.id as user_id, u.username, u.is_admin,
    s.last_seen_at < now() - interval '1 minute' as stale
  from sessions s join users u on u.id = s.user_id where s.expires_at > now() and not u.suspended`;

interface Known {
  /** Never null: made of names, and of conditions that are true or not. */
  findJobToken: { job_name: string; may_write: boolean; is_of_admin: boolean };
  findJobByAttempt: { job_name: string; may_write: boolean; is_of_admin: boolean };
}

export const statements = defineStatements<IdentityRows, Known>({
  findAccessToken: `${liveToken} and t.token_hash = $1`,
  findAccessTokenById: `${liveToken} and t.id = $1`,
  findJobToken: `${leasedAttempt} and a.token_hash = $1`,
  findJobByAttempt: `${leasedAttempt} and a.id = $1`,
  findSessionHolder: `${liveSession} and s.token_hash = $1`,
  findSessionById: `${liveSession} and s.id = $1`,
});

/**
 * `bot_scopes`: the upper limit of what tokens of the bot may have; null for people. `ms_left`: until it expires; null: never.
 */
export type TokenRow = IdentityRows["findAccessToken"];

/** A token of a person or a bot that is neither revoked nor expired, of a user who is not suspended. */
export function findAccessToken(db: Queryable, hash: Buffer): Promise<TokenRow | undefined> {
  return db.one(statements.findAccessToken, [hash]);
}

/** As `findAccessToken`, for what was derived from the token. */
export function findAccessTokenById(db: Queryable, id: string): Promise<TokenRow | undefined> {
  return db.one(statements.findAccessTokenById, [id]);
}

export type JobTokenRow = RowOf<typeof statements.findJobToken>;

/** A job's token counts while its attempt is leased, and acts for the user who started the run, if one did, as far as that may write now. */
export function findJobToken(db: Queryable, hash: Buffer): Promise<JobTokenRow | undefined> {
  return db.one(statements.findJobToken, [hash]);
}

/** As `findJobToken`, for what was derived from the token. */
export function findJobByAttempt(db: Queryable, attemptId: string): Promise<JobTokenRow | undefined> {
  return db.one(statements.findJobByAttempt, [attemptId]);
}

/** `stale`: the time of last use should be updated. */
export type SessionHolderRow = IdentityRows["findSessionHolder"];

/** A live session of a user who is not suspended. */
export function findSessionHolder(db: Queryable, hash: Buffer): Promise<SessionHolderRow | undefined> {
  return db.one(statements.findSessionHolder, [hash]);
}

/** As `findSessionHolder`, for what was derived from the session. */
export function findSessionById(db: Queryable, id: string): Promise<SessionHolderRow | undefined> {
  return db.one(statements.findSessionById, [id]);
}
