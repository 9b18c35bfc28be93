/**
 * Which connection of a runner counts: one row per runner says instance, server and moment. The same instance
 * replaces its older connection; another instance with the same credential is refused while the first one lives.
 */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { runnerActor } from "./runner-actor.ts";
import * as store from "./connections.store.ts";

export interface ConnectedRunner {
  id: string;
  name: string;
  repositoryId: string | null;
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

export interface ConnectionState {
  serverId: string | null;
  connectedAt: string | null;
  revoked: boolean;
  paused: boolean;
  draining: boolean;
  labels: string[];
  capacity: number;
}

export interface DuplicateRunner {
  refusedInstance: string;
  refusedHost: string;
  ipAddress: string;
}

export interface RunnerConnections {
  find(credentialHash: Buffer): Promise<(ConnectedRunner & { revoked: boolean }) | undefined>;
  /** For this server. Undefined: another live instance has it, or it was revoked. */
  take(claim: Omit<ConnectionClaim, "serverId">): Promise<ConnectionRow | undefined>;
  /** Unless a newer connection has taken it. */
  leave(connection: { runnerId: string; connectedAt: string }): Promise<void>;
  /** Writes down that two live runners use one credential. */
  flagDuplicate(runner: ConnectedRunner, refused: DuplicateRunner): Promise<void>;
  setAgentDraining(runnerId: string, draining: boolean): Promise<void>;
  saveEgress(runnerId: string, egress: EgressReport): Promise<void>;
  of(runnerIds: readonly string[]): Promise<(ConnectionState & { id: string })[]>;
  countConnected(): Promise<{ online: number; offline: number }>;
  /** Calls back with each runner that was paused, drained, revoked or connected; empty: news were missed. Until called. */
  onChange(listener: (runnerId: string) => void): () => void;
}

export function createRunnerConnections(db: Database, serverId: string): RunnerConnections {
  return {
    find: (credentialHash) => store.findByCredential(db, credentialHash),
    take: (claim) => claimConnection(db, { ...claim, serverId }),
    leave: (connection) => store.releaseConnection(db, { ...connection, serverId }),
    flagDuplicate: (runner, refused) => flagDuplicate(db, runner, refused),
    setAgentDraining: (runnerId, draining) => store.setAgentDraining(db, runnerId, draining),
    saveEgress: (runnerId, egress) => store.saveEgress(db, runnerId, egress),
    of: (runnerIds) => store.findConnections(db, runnerIds),
    countConnected: () => store.countConnected(db),
    onChange: (listener) => db.listen("runner", listener),
  };
}

async function claimConnection(db: Database, claim: ConnectionClaim): Promise<ConnectionRow | undefined> {
  return db.transaction(async (tx) => {
    const row = await store.occupy(tx, claim);
    if (row) {
      await store.saveEgress(tx, claim.runner.id, claim.hello.egress);
      await tx.notify("runner", claim.runner.id);
    }
    return row;
  });
}

async function flagDuplicate(db: Database, runner: ConnectedRunner, details: DuplicateRunner): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await store.noteDuplicate(tx, runner.id);
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
