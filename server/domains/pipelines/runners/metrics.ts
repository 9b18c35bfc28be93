/** Prometheus figures of the queue, the runners and their sockets. */
import type { Registry } from "prom-client";
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { LeaseService } from "../leases/service.ts";
import type { RunnerDemandService } from "./demand.ts";
import type { RunnerConnections } from "./connections.ts";

export interface RunnerMetrics {
  sockets: { set(count: number): void };
  queueWait: { observe(seconds: number): void };
  claim: { observe(seconds: number): void };
  jobDuration: { observe(labels: { outcome: string }, seconds: number): void };
  offers: { inc(labels: { answer: string }): void };
  cutOff: { inc(): void };
  refused: { inc(labels: { why: "credential" | "budget" | "too_often" }): void };
}

/** What is asked at each look, of the whole instance. */
export interface Counted {
  leases: Pick<LeaseService, "queueLengths" | "queuedOwners" | "countHeld">;
  connections: Pick<RunnerConnections, "countConnected">;
  demand: RunnerDemandService;
}

export function createRunnerMetrics(registry: Registry, counted: Counted): RunnerMetrics {
  addLengthGauges(registry, counted);
  const idle = createGauge(registry, "forgeline_queue_idle_slots", async () => {
    const { label_sets: sets } = await counted.demand.demand(null);
    idle.reset();
    for (const set of sets) idle.set({ labels: set.labels.join(",") }, set.idle);
  });
  idle.reset();
  addOwnerGauges(registry, counted);
  addStateGauges(registry, counted);
  return {
    sockets: createGauge(registry, "forgeline_runner_sockets"),
    queueWait: createHistogram(registry, "forgeline_queue_wait_seconds"),
    claim: createHistogram(registry, "forgeline_claim_seconds"),
    jobDuration: createHistogram(registry, "forgeline_job_duration_seconds"),
    cutOff: createCounter(registry, "forgeline_runner_sockets_cut_off_total"),
    refused: createCounter(registry, "forgeline_runner_sockets_refused_total"),
    offers: createCounter(registry, "forgeline_offers_total"),
  };
}

/** All gauges are read at the same time, so those that show one answer share it; one that another sets would show the time before. */
function addLengthGauges(registry: Registry, { leases }: Counted): void {
  const lengths = askedOnce(() => leases.queueLengths());
  createGauge(registry, "forgeline_queue_length", async (gauge) => {
    const rows = await lengths();
    gauge.reset();
    for (const { labels, length } of rows) gauge.set({ labels }, length);
  }).reset();
  createGauge(registry, "forgeline_queue_oldest_seconds", async (gauge) => {
    const rows = await lengths();
    gauge.reset();
    for (const { labels, oldestSeconds } of rows) gauge.set({ labels }, oldestSeconds);
  }).reset();
}

function addOwnerGauges(registry: Registry, { leases }: Counted): void {
  const owners = askedOnce(() => leases.queuedOwners());
  createGauge(registry, "forgeline_queue_owner_length", async (gauge) => {
    const rows = await owners();
    gauge.reset();
    for (const { owner, length } of rows) gauge.set({ owner }, length);
  });
  createGauge(registry, "forgeline_queue_owner_oldest_seconds", async (gauge) => {
    const rows = await owners();
    gauge.reset();
    for (const { owner, oldestSeconds } of rows) gauge.set({ owner }, oldestSeconds);
  });
}

/** Who asks while the answer is under way gets the same one; who asks later gets a new one. */
function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => (underWay ??= ask().finally(() => (underWay = undefined)));
}

function addStateGauges(registry: Registry, counted: Counted): void {
  createGauge(registry, "forgeline_job_attempts", async (gauge) => {
    const rows = await counted.leases.countHeld();
    gauge.set({ state: "offered" }, 0);
    gauge.set({ state: "leased" }, 0);
    for (const row of rows) gauge.set({ state: row.state }, row.count);
  });
  createGauge(registry, "forgeline_runners", async (gauge) => {
    const { online, offline } = await counted.connections.countConnected();
    gauge.set({ connected: "yes" }, online);
    gauge.set({ connected: "no" }, offline);
  });
}
