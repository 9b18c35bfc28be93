/**
 * Which connection of a runner counts: one row per runner says instance, server and moment. The same instance
 * replaces its older connection; another instance with the same credential is refused while the first one lives.
 */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import {
  admitConnection,
  type Admission,
  type AdmissionDeps,
  type Newcomer,
  type OlderConnection,
} from "./admit-connection.ts";
import { runnerActor } from "./runner-actor.ts";
import * as store from "./connections.store.ts";

export interface ConnectedRunner {
  id: string;
  name: string;
  /** Null unless it serves one repository only. */
  repositoryId: string | null;
  /** Null unless it serves one organization only. */
  organizationId: string | null;
}

export interface RunnerConnection {
  /** Names this connection in later statements. */
  connectedAt: string;
  serverTimeMs: number;
  /** What jobs may ask for. */
  labels: string[];
  /** What jobs must ask for. */
  mustName: string[];
  /** Null: in none. */
  groupId: string | null;
  capacity: number;
  paused: boolean;
  draining: boolean;
  drainDeadline: string | null;
  drainMs: number | null;
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
  /** Names the deadline, to see whether it was changed; null: none. */
  drainDeadline: string | null;
  /** Until it, from when this was read; negative once it has passed. */
  drainMs: number | null;
  /** What jobs may ask for. */
  labels: string[];
  /** What jobs must ask for. */
  mustName: string[];
  groupId: string | null;
  capacity: number;
}

export interface DuplicateRunner {
  refusedInstance: string;
  refusedHost: string;
  ipAddress: string;
}

export interface RunnerConnections {
  find(credentialHash: Buffer): Promise<(ConnectedRunner & { revoked: boolean }) | undefined>;
  /** Makes a new connection the runner's, on this server, unless another live one is. */
  admit(newcomer: Newcomer, older: OlderConnection | undefined): Promise<Admission>;
  /** Does nothing if a newer connection has replaced it. */
  leave(connection: { runnerId: string; connectedAt: string }): Promise<void>;
  /** Not draining: what kept jobs from running on it is gone too. */
  setAgentDraining(runnerId: string, draining: boolean): Promise<void>;
  saveEgress(runnerId: string, egress: EgressReport): Promise<void>;
  of(runnerIds: readonly string[]): Promise<(ConnectionState & { id: string })[]>;
  countConnected(): Promise<{ online: number; offline: number }>;
  /**
   * Calls back with each runner that was paused, drained, revoked or connected; empty: notifications may have been missed. The
   * result unsubscribes.
   */
  onChange(listener: (runnerId: string) => void): () => void;
}

/** Why a connection no longer counts, by the runner's present row; `silent`: it was closed because it was silent. */
export function judgeConnection(
  state: ConnectionState | undefined,
  connectedAt: string,
): { current: ConnectionState } | { ended: "revoked" | "replaced" | "silent" } {
  if (!state || state.revoked) return { ended: "revoked" };
  if (state.connectedAt === connectedAt) return { current: state };
  return { ended: state.connectedAt === null ? "silent" : "replaced" };
}

export function createRunnerConnections(db: Database, serverId: string): RunnerConnections {
  const admissions: AdmissionDeps = {
    take: (claim) => claimConnection(db, { ...claim, serverId }),
    flagDuplicate: (runner, refused) => flagDuplicate(db, runner, refused),
  };
  return {
    find: (credentialHash) => store.findByCredential(db, credentialHash),
    admit: (newcomer, older) => admitConnection(admissions, newcomer, older),
    leave: (connection) => store.releaseConnection(db, { ...connection, serverId }),
    setAgentDraining: (runnerId, draining) => store.setAgentDraining(db, runnerId, draining),
    saveEgress: (runnerId, egress) => store.saveEgress(db, runnerId, egress),
    of: (runnerIds) => store.findConnections(db, runnerIds),
    countConnected: () => store.countConnected(db),
    onChange: (listener) => db.listen("runner", listener),
  };
}

async function claimConnection(db: Database, claim: ConnectionClaim): Promise<RunnerConnection | undefined> {
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
