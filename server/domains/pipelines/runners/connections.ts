/**
 * Which connection of a runner counts: one row per runner says instance, server and moment. The same instance
 * replaces its older connection; another instance with the same credential is refused while the first one lives.
 */
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { runnerActor } from "./runner-actor.ts";
import { matchLabels } from "./labels.ts";
import { saveEgress } from "./runner-egress.ts";

export interface ConnectedRunner {
  id: string;
  name: string;
  repositoryId: string | null;
}

export async function findByCredential(
  db: Database,
  credentialHash: Buffer,
): Promise<(ConnectedRunner & { revoked: boolean }) | undefined> {
  return db.one(
    `select id, name, repository_id as "repositoryId", revoked_at is not null as revoked
     from runners where credential_hash = $1`,
    [credentialHash],
  );
}

export interface ConnectionRow {
  /** Names this connection in later statements. */
  connectedAt: string;
  serverTimeMs: number;
  labels: string[];
  capacity: number;
  paused: boolean;
  draining: boolean;
}

export interface ConnectionClaim {
  runner: ConnectedRunner;
  serverId: string;
  hello: z.infer<typeof Hello>;
  /** A runner seen within this time is alive. */
  aliveMs: number;
}

/** Takes the runner's place for this connection. Undefined: another live instance has it, or it was revoked. */
export async function takePlace(db: Database, claim: ConnectionClaim): Promise<ConnectionRow | undefined> {
  const { hello } = claim;
  return db.transaction(async (tx) => {
    const row = await tx.one<ConnectionRow>(
      `update runners set instance_id = $2, server_id = $3, connected_at = clock_timestamp(), last_seen_at = now(),
         labels = coalesce(set_labels, $4), match_labels = case when set_labels is null then $5 else match_labels end,
         capacity = least(set_capacity, $6), version = $7, os = $8, arch = $9, hostname = $10, agent_draining = $11, limits = $13
       where id = $1 and revoked_at is null and (instance_id is null or instance_id = $2
         or last_seen_at < now() - $12 * interval '1 millisecond')
       returning connected_at::text as "connectedAt", (extract(epoch from now()) * 1000)::float8 as "serverTimeMs",
         match_labels as labels, capacity, paused, draining`,
      [
        claim.runner.id,
        hello.instanceId,
        claim.serverId,
        hello.labels,
        matchLabels(hello.labels),
        hello.capacity,
        hello.version,
        hello.os,
        hello.arch,
        hello.hostname,
        hello.draining,
        claim.aliveMs,
        hello.limits ?? null,
      ],
    );
    if (row) {
      await saveEgress(tx, claim.runner.id, hello.egress);
      await tx.notify("runner", claim.runner.id);
    }
    return row;
  });
}

/** Leaves the place, unless a newer connection has taken it. */
export async function leavePlace(
  db: Database,
  place: { runnerId: string; serverId: string; connectedAt: string },
): Promise<void> {
  await db.query(
    `update runners set instance_id = null, server_id = null, connected_at = null
     where id = $1 and server_id = $2 and connected_at = $3::timestamptz`,
    [place.runnerId, place.serverId, place.connectedAt],
  );
}

/** Writes down that two live runners use one credential. */
export async function flagDuplicate(
  db: Database,
  runner: ConnectedRunner,
  details: { refusedInstance: string; refusedHost: string; ipAddress: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await tx.one<{ instance: string | null; hostname: string }>(
      `update runners set duplicate_seen_at = now() where id = $1
       returning instance_id as instance, hostname`,
      [runner.id],
    );
    await recordAudit(tx, runnerActor(runner, details.ipAddress), {
      action: "runner.duplicate",
      target: { type: "runner", id: runner.id, name: runner.name },
      details: {
        refused_instance: details.refusedInstance,
        refused_host: details.refusedHost,
        connected_instance: held?.instance ?? null,
        connected_host: held?.hostname ?? null,
      },
    });
  });
}

export async function setAgentDraining(db: Database, runnerId: string, draining: boolean): Promise<void> {
  await db.query("update runners set agent_draining = $2 where id = $1", [runnerId, draining]);
}

export interface PlaceState {
  serverId: string | null;
  connectedAt: string | null;
  revoked: boolean;
  paused: boolean;
  draining: boolean;
  labels: string[];
  capacity: number;
}

export async function findPlaces(
  db: Database,
  runnerIds: readonly string[],
): Promise<(PlaceState & { id: string })[]> {
  return db.query(
    `select id, server_id as "serverId", connected_at::text as "connectedAt", revoked_at is not null as revoked,
       paused, draining, match_labels as labels, capacity from runners where id = any($1)`,
    [[...runnerIds]],
  );
}
