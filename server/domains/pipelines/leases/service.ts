/**
 * Leases for whoever speaks with runners: attempts are offered, leased, reported on and given back here. Every method names the
 * lease by attempt and epoch, so that messages of an earlier holder change nothing.
 */
import type {
  JobResult,
  LeaseSpec,
  LeaseStream,
  StepResult,
} from "@forgeline/schemas/runner-protocol/lease.ts";
import type { LeaseSecrets } from "@forgeline/schemas/runner-protocol/lease-secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { LogIngest } from "../logs/ingest.ts";
import type { JobSecrets } from "../secrets/job-secrets.ts";
import type { ConnectedRunner } from "../runners/connections.ts";
import { hashCredential, jobToken } from "../runners/credential.ts";
import {
  reportStarted,
  reportStepEnded,
  reportStepStarted,
  type StepReport,
} from "../runs/attempt-events.ts";
import { reportKept } from "../runs/keep-open.ts";
import { recordResult, type ResultAnswer, type ResultDeps } from "./attempt-result.ts";
import { claimNext, returnOffer, type Claimant, type Offer } from "./claims.ts";
import { recordForeignLease } from "./foreign-lease.ts";
import { jobScopes } from "./job-scopes.ts";
import { buildLeaseSpec, type InstanceAddresses, type LeaseMaterial } from "./lease-spec.ts";
import { judgeLease, type LeaseVerdict } from "./lease-verdict.ts";
import type { CancelColumn, HeartbeatFacts, StoredLease, LeaseName, Renewal } from "./leases.ts";
import { keepPlacements, releasableWorkspaces } from "../placements/over.ts";
import { beginPlacement, runnersApart } from "../placements/take-placement.ts";
import {
  findCancelled,
  findLeases,
  findLeaseState,
  grantToken,
  renewLeases,
  takeLease,
} from "./leases.store.ts";
import { countHeld, queueLengths } from "./offers.store.ts";
import { queuedOwners } from "./queued-owners.store.ts";
import { announceRuns } from "./reclaim.ts";
import { createTurns } from "./turns.ts";

export interface LeaseServiceDeps {
  db: Database;
  logs: LogIngest;
  addresses: InstanceAddresses;
  secrets: JobSecrets;
  reportReader: ResultDeps["reportReader"];
  /** Job tokens are made from it; the same on every server of the instance. */
  /** The first one makes tokens. */
  jobTokenKeys: () => readonly [Buffer, ...Buffer[]];
  settings: { stepLogBytes: number; logsWaitMs: number; keepOpenMs: number };
  /** Whether traces of runs are sent. */
  traced?: boolean;
}

export interface Lease {
  material: LeaseMaterial;
  spec: LeaseSpec;
}

export interface JudgedLease {
  verdict: LeaseVerdict;
  /** What was requested of it. */
  cancel: CancelColumn | null;
  /** For how long its container is kept for a shell if it fails; null: not at all. */
  keepOpenMs: number | null;
}

export interface LeaseService {
  /**
   * None: nothing matches, or the runner is full, paused, draining or replaced. `scope`: whose the runner is, '' for the instance.
   */
  claim(claimant: Claimant & { scope: string }): Promise<Offer | undefined>;
  /** False when it is no longer this offer. */
  giveBack(offer: LeaseName): Promise<boolean>;
  /** Turns the offer into a lease, with its streams and token. Undefined when the offer is no longer this runner's. */
  accept(offer: LeaseName & { runnerId: string }): Promise<Lease | undefined>;
  /** All leases that the runner holds. */
  held(runnerId: string): Promise<StoredLease[]>;
  /** The whole spec again, with the progress of its streams. */
  again(material: LeaseMaterial): Promise<{ spec: LeaseSpec; streams: LeaseStream[] }>;
  /** Of the shared workspaces that the runner has, those that it may remove. */
  releasable(runnerId: string, workspaceIds: readonly string[]): Promise<string[]>;
  /** The runner has connected with these shared workspaces; what it should have besides is lost. */
  keepWorkspaces(runnerId: string, workspaceIds: readonly string[]): Promise<void>;
  /** Runners that match other jobs than those with the same labels, for now. */
  apart(): Promise<string[]>;
  /** `current` is false when another connection has taken this runner's place. To be followed by `announce`. */
  renew(facts: HeartbeatFacts): Promise<{ current: boolean; renewed: Renewal[] }>;
  /** Shows in their runs that leases are renewed which had been shown as unreachable. */
  announce(renewed: readonly Renewal[]): Promise<void>;
  judge(claim: LeaseName & { runnerId: string }): Promise<JudgedLease>;
  /** Leases of these runners that somebody asked to stop and that have not ended. */
  cancelled(
    runnerIds: readonly string[],
  ): Promise<(LeaseName & { runnerId: string; cancel: CancelColumn })[]>;
  /** False: the lease is stale. */
  started(report: LeaseName & { timeMs: number }): Promise<boolean>;
  stepStarted(report: LeaseName & { position: number; name: string; timeMs: number }): Promise<StepReport>;
  stepEnded(report: LeaseName & { step: StepResult }): Promise<StepReport>;
  /** The job has failed and its container is kept for a shell. False: the lease is stale. */
  kept(report: LeaseName & { forMs: number }): Promise<boolean>;
  /** Any number of times with the same result. `missing`: these streams are to be sent from there first. */
  done(report: LeaseName & { result: JobResult }): Promise<ResultAnswer>;
  /** A runner sent a message for another runner's lease; null: on a log channel that it does not have. */
  noteForeign(runner: ConnectedRunner, said: { attemptId: string | null; ipAddress: string }): Promise<void>;
  /** Queued attempts by label set, with the age of the oldest. */
  queueLengths(): Promise<{ labels: string; length: number; oldestSeconds: number }[]>;
  queuedOwners(): Promise<{ owner: string; length: number; oldestSeconds: number }[]>;
  /** Offered and leased attempts. */
  countHeld(): Promise<{ state: string; count: number }[]>;
  /** Something was queued, or notifications may have been missed. The result unsubscribes. */
  onQueue(listener: () => void): () => void;
  /**
   * Calls back with each attempt that was cancelled, ended or reclaimed; empty: notifications may have been missed. The result
   * unsubscribes.
   */
  onChange(listener: (attemptId: string) => void): () => void;
}

export function createLeaseService(deps: LeaseServiceDeps): LeaseService {
  const { db, logs, settings } = deps;
  const turns = createTurns();
  const newToken = ({ attemptId, epoch }: LeaseName) => jobToken(deps.jobTokenKeys()[0], attemptId, epoch);

  /** The token that the lease was given, although another key may have become current since. */
  function tokenOf({ attemptId, epoch, tokenHash }: LeaseMaterial): string {
    const tokens = deps.jobTokenKeys().map((key) => jobToken(key, attemptId, epoch));
    const given = tokens.find((token) => tokenHash?.equals(hashCredential(token)));
    if (given === undefined) throw new Error(`no key is left that made the token of ${attemptId}`);
    return given;
  }

  function specOf(
    material: LeaseMaterial,
    given: { secrets: LeaseSecrets; streams: LeaseStream[] },
  ): LeaseSpec {
    const { addresses, traced = false } = deps;
    const { stepLogBytes, keepOpenMs } = settings;
    const token = tokenOf(material);
    return buildLeaseSpec(material, { ...given, addresses, token, stepLogBytes, keepOpenMs, traced });
  }

  return {
    async claim(claimant) {
      const offer = await claimNext(db, claimant, turns.next(claimant.scope));
      if (offer) turns.served(claimant.scope, offer);
      return offer;
    },
    giveBack: (offer) => returnOffer(db, offer),
    accept(offer) {
      const tokenHash = hashCredential(newToken(offer));
      return db.transaction(async (tx) => {
        const material = await takeLease(tx, { ...offer, tokenHash });
        if (!material) return undefined;
        await beginPlacement(tx, offer.attemptId);
        const { attemptId, pipelineId, job } = material;
        // The others have what the table gives by default, without another round trip.
        if (job.permissions) await grantToken(tx, attemptId, (run) => jobScopes(job, run));
        const streams = await logs.openStreams(tx, { attemptId, pipelineId, job });
        const secrets = await deps.secrets.give(tx, { ...material, stage: material.stageName });
        return { material, spec: specOf(material, { secrets, streams }) };
      });
    },
    held: (runnerId) => findLeases(db, runnerId),
    async again(material) {
      const streams = await logs.streamsOf(material.attemptId);
      const secrets = await deps.secrets.giveAgain(db, { ...material, stage: material.stageName });
      return { spec: specOf(material, { secrets, streams }), streams };
    },
    releasable: (runnerId, ids) => releasableWorkspaces(db, runnerId, ids),
    keepWorkspaces: (runnerId, ids) => keepPlacements(db, runnerId, ids),
    apart: () => runnersApart(db),
    renew: (facts) => renewLeases(db, facts),
    announce: (renewed) =>
      announceRuns(
        db,
        renewed.filter((lease) => lease.wasUnreachable),
      ),
    async judge(claim) {
      const state = await findLeaseState(db, claim.attemptId);
      const keepOpenMs = state?.keepOpen ? settings.keepOpenMs : null;
      return { verdict: judgeLease(state, claim), cancel: state?.cancel ?? null, keepOpenMs };
    },
    cancelled: (runnerIds) => findCancelled(db, runnerIds),
    started: (report) => reportStarted(db, report),
    stepStarted: (report) => reportStepStarted(db, report),
    stepEnded: (report) => reportStepEnded(db, report),
    kept: ({ forMs, ...lease }) => reportKept(db, { ...lease, forMs: Math.min(forMs, settings.keepOpenMs) }),
    done: (report) => recordResult({ ...deps, logsWaitMs: settings.logsWaitMs }, report),
    noteForeign: (runner, said) => recordForeignLease(db, runner, said),
    queueLengths: () => queueLengths(db),
    queuedOwners: () => queuedOwners(db),
    countHeld: () => countHeld(db),
    onQueue: (listener) => db.listen("queue", listener),
    onChange: (listener) => db.listen("attempt", listener),
  };
}
