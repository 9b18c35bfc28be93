/** Prometheus figures of the queue, the runners and their sockets. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { LeaseService } from "../leases/service.ts";
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
  leases: Pick<LeaseService, "queueLengths" | "countHeld">;
  connections: Pick<RunnerConnections, "countConnected">;
}

export function createRunnerMetrics(registry: Registry, counted: Counted): RunnerMetrics {
  const registers = [registry];
  const lengths = new Gauge({
    name: "forgeline_queue_length",
    help: "Queued job attempts by the labels that they ask for.",
    labelNames: ["labels"],
    registers,
    async collect() {
      const rows = await counted.leases.queueLengths();
      this.reset();
      oldest.reset();
      for (const row of rows) {
        this.set({ labels: row.labels }, row.length);
        oldest.set({ labels: row.labels }, row.oldestSeconds);
      }
    },
  });
  const oldest = new Gauge({
    name: "forgeline_queue_oldest_seconds",
    help: "Age of the oldest queued job attempt by the labels that it asks for.",
    labelNames: ["labels"],
    registers,
  });
  lengths.reset();
  addStateGauges(registry, counted);
  return {
    sockets: new Gauge({
      name: "forgeline_runner_sockets",
      help: "Runners connected to this process.",
      registers,
    }),
    queueWait: new Histogram({
      name: "forgeline_queue_wait_seconds",
      help: "Time from queueing to the offer that a runner got.",
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
      registers,
    }),
    claim: new Histogram({
      name: "forgeline_claim_seconds",
      help: "Duration of the claim statement.",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    jobDuration: new Histogram({
      name: "forgeline_job_duration_seconds",
      help: "Time from lease to result of job attempts, by outcome.",
      labelNames: ["outcome"],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
      registers,
    }),
    cutOff: new Counter({
      name: "forgeline_runner_sockets_cut_off_total",
      help: "Runner connections closed because they had used up their budget of messages.",
      registers,
    }),
    refused: new Counter({
      name: "forgeline_runner_sockets_refused_total",
      help: "Openings of runner sockets that were refused, by reason.",
      labelNames: ["why"],
      registers,
    }),
    offers: new Counter({
      name: "forgeline_offers_total",
      help: "Offers to runners by answer.",
      labelNames: ["answer"],
      registers,
    }),
  };
}

function addStateGauges(registry: Registry, counted: Counted): void {
  new Gauge({
    name: "forgeline_job_attempts",
    help: "Job attempts that are offered or leased, on all servers.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const rows = await counted.leases.countHeld();
      this.set({ state: "offered" }, 0);
      this.set({ state: "leased" }, 0);
      for (const row of rows) this.set({ state: row.state }, row.count);
    },
  });
  new Gauge({
    name: "forgeline_runners",
    help: "Registered runners, connected or not.",
    labelNames: ["connected"],
    registers: [registry],
    async collect() {
      const { online, offline } = await counted.connections.countConnected();
      this.set({ connected: "yes" }, online);
      this.set({ connected: "no" }, offline);
    },
  });
}
