/** The columns of `runners` that say which connection of a runner counts, and what it said of itself. */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ConnectedRunner, ConnectionClaim, RunnerConnection, ConnectionState } from "./connections.ts";
import { ownLabels, placementPrefix } from "../placements/placement-labels.ts";
import { executorLabels, featureLabels, otherLabels, signedLabel } from "./labels.ts";
import type { ConnectionsRows } from "./connections.rows.ts";

interface Known {
  /** The statement sets it. */
  occupy: { connectedAt: string };
}

/** What jobs may ask of it and of others of its kind in its group, so all but the label that it alone has. */
const kindLabels = `match_labels || array_remove(own_labels, '${placementPrefix}' || id)`;

/** The deadline as text names it, and is compared. */
const drain = `draining, drain_deadline::text as "drainDeadline", (extract(epoch from drain_deadline - now()) * 1000)::float8 as "drainMs"`;

export const statements = defineStatements<ConnectionsRows, Known>({
  findByCredential: `
    select id, name, repository_id as "repositoryId", organization_id as "organizationId", revoked_at is not null as revoked
    from runners where credential_hash = $1`,
  occupy: `
    update runners set instance_id = $2, server_id = $3, connected_at = clock_timestamp(), last_seen_at = now(),
      labels = coalesce(set_labels, $4), match_labels = $14 || case when set_labels is null then $5
        else array(select label from unnest(match_labels) label where label not like '@%' and label <> all ($17::text[])) end,
      must_name = $18 || case when set_labels is null then $15
        else array(select label from unnest(must_name) label where label <> all ($17::text[])) end,
      executor = $19, engine = $20, requires_signatures = $21, image_cache_bytes = $22,
      capacity = least(set_capacity, $6), version = $7, os = $8, arch = $9, hostname = $10, agent_draining = $11, problem = $23, limits = $13,
      own_labels = case when one_job then '{}' else $16::text[] end
    where id = $1 and revoked_at is null and (instance_id is null or instance_id = $2
      or last_seen_at < now() - $12 * interval '1 millisecond')
    returning connected_at::text as "connectedAt", (extract(epoch from now()) * 1000)::float8 as "serverTimeMs",
      ${kindLabels} as labels, must_name as "mustName", group_id as "groupId", capacity, paused, ${drain}`,
  releaseConnection: `
    update runners set instance_id = null, server_id = null, connected_at = null
    where id = $1 and server_id = $2 and connected_at = $3::timestamptz`,
  noteDuplicate: `
    update runners set duplicate_seen_at = now() where id = $1
    returning instance_id as instance, hostname`,
  setAgentDraining:
    "update runners set agent_draining = $2, problem = case when $2 then problem end where id = $1",
  saveEgress: "update runners set egress = $2 where id = $1",
  findConnections: `
    select id, server_id as "serverId", connected_at::text as "connectedAt", revoked_at is not null as revoked,
      paused, ${drain}, ${kindLabels} as labels, must_name as "mustName", group_id as "groupId", capacity
    from runners where id = any($1)`,
  countConnected: `
    select count(*) filter (where instance_id is not null)::int as online,
      count(*) filter (where instance_id is null)::int as offline
    from runners where revoked_at is null`,
});

export async function findByCredential(
  db: Queryable,
  credentialHash: Buffer,
): Promise<(ConnectedRunner & { revoked: boolean }) | undefined> {
  return db.one(statements.findByCredential, [credentialHash]);
}

/** Undefined: another live instance is connected, or the runner was revoked. */
export function occupy(tx: Transaction, claim: ConnectionClaim): Promise<RunnerConnection | undefined> {
  const { hello } = claim;
  const executor = hello.executor ?? "docker";
  const own = executorLabels(executor);
  const others = otherLabels(hello.labels);
  return tx.one(statements.occupy, [
    claim.runner.id,
    hello.instanceId,
    claim.serverId,
    hello.labels,
    others.match,
    hello.capacity,
    hello.version,
    hello.os,
    hello.arch,
    hello.hostname,
    hello.draining,
    claim.aliveMs,
    hello.limits ?? null,
    [...featureLabels(hello.features ?? []), ...own.match],
    others.mustName,
    ownLabels(claim.runner.id, hello.sharedWorkspaces !== undefined),
    executorLabels("process").match,
    [...own.mustName, ...(hello.requiresSignatures ? [signedLabel] : [])],
    executor,
    hello.engine ?? null,
    hello.requiresSignatures ?? false,
    hello.imageCacheBytes ?? null,
    hello.problem ?? null,
  ]);
}

/** Unless a newer connection has replaced it. */
export async function releaseConnection(
  db: Queryable,
  connection: { runnerId: string; serverId: string; connectedAt: string },
): Promise<void> {
  await db.query(statements.releaseConnection, [
    connection.runnerId,
    connection.serverId,
    connection.connectedAt,
  ]);
}

/** The connected runners. */
export function noteDuplicate(
  tx: Transaction,
  runnerId: string,
): Promise<{ instance: string | null; hostname: string } | undefined> {
  return tx.one(statements.noteDuplicate, [runnerId]);
}

export async function setAgentDraining(db: Queryable, runnerId: string, draining: boolean): Promise<void> {
  await db.query(statements.setAgentDraining, [runnerId, draining]);
}

/** Undefined: a runner of before this was asked. */
export async function saveEgress(
  db: Queryable,
  runnerId: string,
  egress: EgressReport | undefined,
): Promise<void> {
  await db.query(statements.saveEgress, [runnerId, egress ?? null]);
}

export async function findConnections(
  db: Queryable,
  runnerIds: readonly string[],
): Promise<(ConnectionState & { id: string })[]> {
  return db.query(statements.findConnections, [[...runnerIds]]);
}

/** Registered runners, of the whole instance; for metrics. */
export async function countConnected(db: Queryable): Promise<{ online: number; offline: number }> {
  const row = await db.one(statements.countConnected);
  return row ?? { online: 0, offline: 0 };
}
