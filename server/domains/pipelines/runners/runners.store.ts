/** Rows of `runners` as the operations see them, and of registration tokens. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Queryable } from "../../../platform/db/database.ts";

export interface RunnerRow {
  id: string;
  name: string;
  owner: string | null;
  repository: string | null;
  repository_id: string | null;
  labels: string[];
  capacity: number;
  running: number;
  paused: boolean;
  draining: boolean;
  agent_draining: boolean;
  version: string;
  os: string;
  arch: string;
  hostname: string;
  connected: boolean;
  seconds_unseen: number | null;
  load: number | null;
  free_disk_bytes: number | null;
  limits: RunnerLimits | null;
  egress: EgressReport | null;
  connected_at: Date | null;
  last_seen_at: Date | null;
  duplicate_seen_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const select = `
  select r.id, r.name, o.name as owner, p.name as repository, r.repository_id, r.labels, r.capacity, r.paused,
    r.draining, r.agent_draining, r.version, r.os, r.arch, r.hostname, r.instance_id is not null as connected,
    extract(epoch from now() - r.last_seen_at)::float8 as seconds_unseen, r.load, r.free_disk_bytes, r.limits,
    r.egress, r.connected_at, r.last_seen_at, r.duplicate_seen_at, r.created_at, r.updated_at,
    (select count(*)::int from job_attempts a where a.runner_id = r.id and a.state in ('offered', 'leased')) as running
  from runners r left join repositories p on p.id = r.repository_id left join owners o on o.id = p.owner_id
  where r.revoked_at is null`;

export async function findRunner(db: Queryable, id: string): Promise<RunnerRow | undefined> {
  return db.one<RunnerRow>(`${select} and r.id = $1`, [id]);
}

/** `repositoryId` null: all runners. */
export async function findRunners(
  db: Queryable,
  repositoryId: string | null,
  page: PageQuery,
): Promise<{ rows: RunnerRow[]; total: number }> {
  const rows = await db.query<RunnerRow>(
    `${select} and ($1::text is null or r.repository_id = $1) order by r.id desc limit $2 offset $3`,
    [repositoryId, page.per_page, (page.page - 1) * page.per_page],
  );
  const count = await db.one<{ total: number }>(
    `select count(*)::int as total from runners where revoked_at is null and ($1::text is null or repository_id = $1)`,
    [repositoryId],
  );
  return { rows, total: count?.total ?? 0 };
}

export interface NewRunner {
  id: string;
  name: string;
  repositoryId: string | null;
  credentialHash: Buffer;
  labels: readonly string[];
  matchLabels: readonly string[];
  capacity: number;
  createdBy: string;
}

export async function insertRunner(db: Queryable, runner: NewRunner): Promise<void> {
  await db.query(
    `insert into runners (id, name, repository_id, credential_hash, labels, match_labels, capacity, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      runner.id,
      runner.name,
      runner.repositoryId,
      runner.credentialHash,
      runner.labels,
      runner.matchLabels,
      runner.capacity,
      runner.createdBy,
    ],
  );
}

export interface RunnerChange {
  name: string | null;
  paused: boolean | null;
  draining: boolean | null;
  /** Undefined: as it is; null: the runner's own word counts from its next `hello` on. */
  labels: { set: readonly string[]; match: readonly string[] } | null | undefined;
  capacity: number | null | undefined;
}

export async function changeRunner(db: Queryable, id: string, change: RunnerChange): Promise<void> {
  const { labels, capacity } = change;
  await db.query(
    `update runners set name = coalesce($2, name), paused = coalesce($3, paused), draining = coalesce($4, draining),
       set_labels = case when $5 then $6 else set_labels end, labels = coalesce($6, labels),
       match_labels = coalesce($7, match_labels),
       set_capacity = case when $8 then $9 else set_capacity end, capacity = coalesce($9, capacity), updated_at = now()
     where id = $1`,
    [
      id,
      change.name,
      change.paused,
      change.draining,
      labels !== undefined,
      labels?.set ?? null,
      labels?.match ?? null,
      capacity !== undefined,
      capacity ?? null,
    ],
  );
}

/** The credential is worth nothing from now on, and its leases count as silent for ever. */
export async function revokeRunner(db: Queryable, id: string): Promise<boolean> {
  const row = await db.one(
    `with lapsed as (
       update job_attempts set lease_renewed_at = '1970-01-01' where runner_id = $1 and state = 'leased'
     )
     update runners set revoked_at = now(), updated_at = now() where id = $1 and revoked_at is null returning id`,
    [id],
  );
  return row !== undefined;
}

export interface RegistrationTokenRow {
  id: string;
  repository_id: string | null;
  uses_left: number;
  expires_at: Date;
  created_at: Date;
  created_by: string;
}

export async function insertRegistrationToken(
  db: Queryable,
  token: {
    id: string;
    hash: Buffer;
    repositoryId: string | null;
    uses: number;
    minutes: number;
    createdBy: string;
  },
): Promise<RegistrationTokenRow> {
  const rows = await db.query<RegistrationTokenRow>(
    `with cleared as (delete from runner_registration_tokens where expires_at < now() - interval '1 day')
     insert into runner_registration_tokens (id, token_hash, repository_id, uses_left, expires_at, created_by)
     values ($1, $2, $3, $4, now() + $5 * interval '1 minute', $6) returning *`,
    [token.id, token.hash, token.repositoryId, token.uses, token.minutes, token.createdBy],
  );
  return rows[0] as RegistrationTokenRow;
}

/** Takes one use of a token that is still good. */
export async function useRegistrationToken(
  db: Queryable,
  hash: Buffer,
): Promise<{ id: string; repository_id: string | null; created_by: string; username: string } | undefined> {
  return db.one(
    `update runner_registration_tokens t set uses_left = uses_left - 1 from users u
     where t.token_hash = $1 and t.uses_left > 0 and t.expires_at > now() and u.id = t.created_by and not u.suspended
     returning t.id, t.repository_id, t.created_by, u.username`,
    [hash],
  );
}
