/** The agent joins the link to the server with the jobs of this machine: slots, offers, leases, draining. Jobs themselves are in `job/`. */
import type { z } from "zod";
import type { LeaseSpec, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Offer, ServerMessage, Welcome } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { Link, type Refusal } from "./connection/link.ts";
import { crashPoint } from "./crash-point.ts";
import { Deadline } from "./deadline.ts";
import { DiskWatch } from "./disk-watch.ts";
import { closeEngine } from "./engine/close-engine.ts";
import { heldLeases } from "./held-leases.ts";
import { createJob, type JobWiring } from "./job/create-job.ts";
import { infraStop } from "./job/job-stop.ts";
import { createSharedWorkspaces } from "./job/shared-workspaces.ts";
import type { RunningJob } from "./job/running-job.ts";
import { SlotFence } from "./job/slot-fence.ts";
import { dropLostLease, removeLeftoverFiles, sweepLeftovers } from "./leftover-files.ts";
import { logRefusal } from "./log-refusal.ts";
import { LogSender } from "./logs/log-sender.ts";
import { helloOf } from "./hello.ts";
import { loadOfMinute } from "./machine-report.ts";
import { AcceptedOffers } from "./accepted-offers.ts";
import { admitLease } from "./signed-jobs/admit-lease.ts";
import { type JobRecord, leaseKey } from "./state/job-record.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { createReportedEgress, startFilter, type ReportedEgress } from "./reported-egress.ts";

/** After the last grace, for results and cleaning. */
const deliveryMs = 10_000;

type Lease = { attemptId: string; epoch: number };
type ServerMessageOf<T extends ServerMessage["t"]> = Extract<ServerMessage, { t: T }>;

export class Agent {
  readonly #deps: AgentDeps;
  readonly #link: Link;
  readonly #sender: LogSender;
  readonly #wiring: JobWiring;
  readonly #jobs = new Map<string, RunningJob>();
  /** Records of an earlier process whose leases the server has not spoken about yet. */
  readonly #orphans: Map<string, JobRecord>;
  readonly #offers = new AcceptedOffers();
  #draining = false;
  #leaving = false;
  #isEnding = false;
  #exitCode = 0;
  readonly #egress: ReportedEgress;
  readonly #ready: Readiness;
  readonly #disk: DiskWatch;
  /** Set when jobs are ended instead of waited for. */
  #endingGraceMs: number | null = null;
  readonly #fence = new SlotFence(() => this.#jobs.values());
  readonly #timers = { offline: new Deadline(), drained: new Deadline(), leave: new Deadline() };
  readonly #ended = Promise.withResolvers<number>();

  constructor(deps: AgentDeps) {
    this.#deps = deps;
    const { config, logger, state } = deps;
    this.#link = new Link({
      url: config.connectUrl,
      credential: config.credential,
      ca: config.ca,
      capacity: config.capacity,
      logger,
      hello: async () => {
        const said = { egress: await this.#egress.all(), problem: this.#ready.problem() };
        return helloOf(deps, { draining: this.#draining, leases: this.#heldLeases(), ...said });
      },
      heartbeat: () => this.#heartbeat(),
      onWelcome: (welcome) => this.#welcomed(welcome),
      onMessage: (message) => this.#receive(message),
      onRenewed: (sentAtMs) => this.#fence.answered(sentAtMs),
      onRelease: (ids) => void this.#wiring.sharedWorkspaces.release(ids),
      onDown: () => {
        this.#sender.disconnected();
        this.#startOfflineTimer();
      },
      onStopped: (refusal) => void this.#refused(refusal),
    });
    this.#egress = createReportedEgress(deps.engine);
    this.#ready = createReadiness(deps, () => this.#link.deliver({ t: "drain", draining: this.#draining }));
    this.#disk = new DiskWatch({ ...deps, jobs: () => [...this.#jobs.values()] });
    this.#sender = new LogSender(this.#link);
    const sharedWorkspaces = createSharedWorkspaces(deps);
    this.#wiring = { ...deps, link: this.#link, sender: this.#sender, sharedWorkspaces };
    this.#orphans = new Map(state.jobs().map((record) => [leaseKey(record), record]));
  }

  /** Sweeps what a dead process left, then connects. Resolves when the agent has ended, with its exit code. */
  async run(): Promise<number> {
    await startFilter(this.#deps);
    await sweepLeftovers(this.#deps, [...this.#orphans.values()]);
    await this.#ready.start();
    await removeLeftoverFiles(this.#deps.config.home, (key) => this.#isOurs(key));
    await this.#disk.start();
    this.#link.start();
    void this.#deps.engine.warm();
    this.#startOfflineTimer();
    return this.#ended.promise;
  }

  /** Takes no more jobs, finishes those it has, then ends with 0. */
  drain(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#deps.logger.info({ jobs: this.#jobs.size }, "draining: accepting no new jobs");
    this.#draining = true;
    this.#link.deliver({ t: "drain", draining: true });
    this.#endWhenIdle();
  }

  /** Ends all jobs with the reason `infra` after the grace, then ends with 0. Results that cannot be told in time stay for the next start. */
  cancelAll(graceMs: number): void {
    this.#endingGraceMs = graceMs;
    this.#timers.leave.set(graceMs + deliveryMs, () => this.#end());
    this.drain();
    this.#stopJobs(graceMs, "The runner was stopped.");
  }

  #stopJobs(graceMs: number, message: string): void {
    for (const job of this.#jobs.values()) job.stop(infraStop(graceMs, message));
  }

  #endWhenIdle(): void {
    const isIdle = () => this.#leaving && this.#jobs.size === 0 && this.#offers.size === 0;
    if (isIdle()) void Promise.resolve(this.#deps.uploads?.idle()).then(() => isIdle() && this.#end());
  }

  /** Nobody will clean up after a runner that was removed: its key is not swept again. */
  async #refused(refusal: Refusal): Promise<void> {
    logRefusal(this.#deps, refusal, this.#leaving || this.#jobs.size > 0);
    this.#exitCode = refusal.isRemoved && this.#deps.config.oneJob ? 0 : 1;
    if (!refusal.isRemoved) return this.#end();
    this.#leaving = true;
    this.#timers.leave.set(deliveryMs, () => this.#end());
    for (const job of this.#jobs.values()) job.revoke();
    await Promise.all([...this.#orphans.values()].map((record) => this.#dropOrphan(record)));
    this.#endWhenIdle();
  }

  /** What asks again meanwhile changes nothing: what waits for jobs is removed before the process goes. */
  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#link.stop();
    for (const timed of [...Object.values(this.#timers), this.#disk, this.#fence, this.#ready]) timed.clear();
    void closeEngine({ ...this.#deps, ...this.#wiring }).then(() => this.#ended.resolve(this.#exitCode));
  }

  #isOurs(key: string): boolean {
    return this.#orphans.has(key) || this.#jobs.has(key);
  }

  #heldLeases(): ReturnType<typeof heldLeases> {
    return heldLeases(this.#deps.state.jobs(), this.#offers.accepted(), this.#sender);
  }

  async #heartbeat() {
    const egress = await this.#egress.news();
    return {
      t: "heartbeat" as const,
      load: loadOfMinute(),
      freeDiskBytes: Math.min(await this.#disk.measure(), Number.MAX_SAFE_INTEGER),
      freeSlots: Math.max(0, this.#deps.config.capacity - this.#busySlots()),
      leases: this.#heldLeases().map(({ attemptId, epoch }) => ({ attemptId, epoch })),
      sharedWorkspaces: this.#wiring.sharedWorkspaces.ids(),
      ...(egress && { egress }),
    };
  }

  #busySlots(): number {
    const working = [...this.#jobs.values()].filter((job) => job.holdsSlot).length;
    return working + this.#offers.size + this.#orphans.size;
  }

  #welcomed(welcome: z.infer<typeof Welcome>): void {
    this.#timers.offline.clear();
    this.#fence.welcomed(welcome.reclaimMs);
    this.#sender.connected(welcome);
    for (const answer of welcome.leases) {
      this.#offers.settle(answer);
      if (!answer.keep) this.#drop(answer);
      else this.#keep(answer, answer.spec, answer.streams);
    }
    this.#endWhenIdle();
  }

  #keep(lease: Lease, spec: LeaseSpec | null, streams: readonly LeaseStream[]): void {
    const job = this.#jobs.get(leaseKey(lease));
    if (job) return job.attachLogs(streams);
    if (spec) this.#begin(spec, this.#orphans.get(leaseKey(lease)) ?? null);
  }

  /** Starts a new lease, or continues with one of an earlier process. */
  #begin(spec: LeaseSpec, record: JobRecord | null): void {
    const job = createJob(this.#wiring, admitLease(this.#deps, spec, record), record);
    this.#orphans.delete(job.key);
    this.#jobs.set(job.key, job);
    this.#fence.begun(job, job.isResumed);
    void job.run().then(() => this.#finished(job));
    if (this.#endingGraceMs !== null) job.stop(infraStop(this.#endingGraceMs, "The runner was stopped."));
  }

  #finished(job: RunningJob): void {
    this.#jobs.delete(job.key);
    this.#link.dropLease(job.lease.attemptId, job.lease.epoch);
    void this.#deps.state.remove(job.lease).catch((error: unknown) => {
      this.#deps.logger.error({ err: error }, "the state file could not be written");
    });
    if (this.#deps.config.oneJob) this.drain();
    if (this.#jobs.size === 0 && !this.#leaving) void this.#deps.engine.warm();
    this.#endWhenIdle();
  }

  /** The lease is no longer ours: everything that belongs to it goes. */
  #drop(lease: Lease): void {
    this.#offers.settle(lease);
    this.#link.dropLease(lease.attemptId, lease.epoch);
    this.#jobs.get(leaseKey(lease))?.revoke();
    const orphan = this.#orphans.get(leaseKey(lease));
    if (orphan) void this.#dropOrphan(orphan);
  }

  async #dropOrphan(record: JobRecord): Promise<void> {
    this.#orphans.delete(leaseKey(record));
    await dropLostLease(this.#deps, record);
    await removeLeftoverFiles(this.#deps.config.home, (key) => this.#isOurs(key));
  }

  #receive(message: ServerMessage): void {
    if (message.t === "offer") return this.#offer(message);
    if (message.t === "lease") return this.#lease(message.id, message.spec);
    if (message.t === "log_ack") return this.#sender.acknowledge(message.channel, message.nextOffset);
    if (message.t === "log_nack") return this.#sender.rewind(message.channel, message.expected);
    if (message.t === "window") return this.#sender.setWindow(message.channel, message.bytes);
    if (message.t === "cancel" || message.t === "open_shell" || message.t === "keep_open")
      return this.#tellJob(message);
    if (message.t === "revoke") return this.#revoke(message);
    if (message.t === "drain") this.#drainCommand(message);
  }

  #offer(offer: z.infer<typeof Offer>): void {
    const { attemptId, epoch } = offer;
    const reject = this.#rejection();
    if (reject === null)
      this.#offers.accept({ attemptId, epoch }, offer.deadlineMs, () => this.#endWhenIdle());
    void this.#link.ask({ t: "offer_answer", attemptId, epoch, accept: reject === null, reject });
  }

  #rejection(): "draining" | "full" | "disk" | null {
    if (this.#draining || this.#ready.problem() !== null) return "draining";
    if (this.#busySlots() >= this.#deps.config.capacity) return "full";
    return this.#disk.freeBytes < this.#deps.config.minFreeBytes ? "disk" : null;
  }

  #lease(id: number, spec: LeaseSpec): void {
    this.#offers.settle(spec);
    if (!this.#jobs.has(leaseKey(spec))) this.#begin(spec, null);
    void this.#deps.state.save().then(
      () => {
        crashPoint("lease.saved-before-ack");
        this.#link.acknowledge(id);
      },
      () => this.#link.refuse(id, "internal", "the runner's state file cannot be written"),
    );
  }

  #tellJob(message: ServerMessageOf<"cancel" | "open_shell" | "keep_open">): void {
    const job = this.#jobs.get(leaseKey(message));
    if (!job) return this.#link.refuse(message.id, "unknown_lease", "this runner does not hold this lease");
    if (message.t === "cancel") job.stop(message);
    else if (message.t === "open_shell") job.shells.open(message);
    else job.shells.setKeepOpen(message.ms);
    this.#link.acknowledge(message.id);
  }

  #revoke({ id, attemptId, epoch }: ServerMessageOf<"revoke">): void {
    this.#drop({ attemptId, epoch });
    this.#link.acknowledge(id);
    void this.#link.ask({ t: "revoked", attemptId, epoch });
  }

  #drainCommand(message: ServerMessageOf<"drain">): void {
    this.#draining = message.draining || this.#leaving;
    this.#timers.drained.clear();
    const late = "The runner's drain deadline has passed.";
    if (message.draining && message.deadlineMs !== null)
      this.#timers.drained.set(message.deadlineMs, () => this.#stopJobs(0, late));
    this.#link.acknowledge(message.id);
  }

  /** Jobs outlive an outage of the server, but not forever; nor do workspaces that wait for the next job. */
  #startOfflineTimer(): void {
    this.#timers.offline.set(this.#deps.config.offlineLimitMs, () => {
      this.#stopJobs(0, "The runner could not reach its server for too long.");
      void this.#wiring.sharedWorkspaces.releaseAll();
    });
  }
}
