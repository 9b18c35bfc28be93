/**
 * One lease from its beginning to its end, through the states of `job-states.ts`.
 *
 * A failure in any state leads to collecting with that failure as result; a revoked lease leads straight to cleaning and reports
 * nothing. Cleaning always runs, under its own deadline, beside the delivery of logs and result. A restarted agent continues in the
 * state of the record: with a result, only delivery is left; with a prepared environment, it is taken up again; before that, the
 * job simply starts over, since no step had been started.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { JobResult, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import { crashPoint } from "../crash-point.ts";
import { diskUsage, sumOfUsage } from "../engine/disk-usage.ts";
import type { DiskBytes, DiskUsage, JobEnvironment } from "../engine/engine.ts";
import { outcomeWithin } from "../outcome-within.ts";
import { leaseKey } from "../state/job-record.ts";
import { leaveArtifacts } from "./job-artifacts.ts";
import { saveCaches } from "./job-caches.ts";
import type { JobContext } from "./job-context.ts";
import { infraStop, type StopRequest } from "./job-stop.ts";
import { keepContainer } from "./keep-container.ts";
import type { JobShells } from "../shells/job-shells.ts";
import { leaveReports } from "./job-reports.ts";
import { moveJob } from "./job-states.ts";
import { startJobTimer } from "./job-timer.ts";
import { jobResult } from "./job-result.ts";
import { endServices } from "./end-services.ts";
import { failureOutcome, type Outcome } from "./outcome.ts";
import { LostEnvironment } from "./lost-environment.ts";
import { prepareJob } from "./prepare-job.ts";
import { runSteps } from "./run-steps.ts";
import { warnRefusedHosts } from "./warn-refused-hosts.ts";

/** Delivers the result until the server answers; resolves when it is settled either way. */
export type DeliverResult = (result: JobResult) => Promise<void>;
const cleaningDeadlineMs = 60_000;

export class RunningJob {
  readonly #job: JobContext;
  readonly #deliver: DeliverResult;
  #environment: JobEnvironment | null = null;
  #result: JobResult | null;
  #settled = false;
  readonly isResumed: boolean;
  readonly begunAtMs = performance.now();
  readonly shells: JobShells;
  /** Until when it may run without its agent, on the monotonic clock; null: not told yet. */
  #keptUntilMs: number | null = null;
  #runs: Promise<void> | null = null;

  constructor(job: JobContext, deliver: DeliverResult) {
    this.#job = job;
    this.#deliver = deliver;
    this.#result = job.record.result;
    this.shells = job.shells;
    this.isResumed = job.record.handle !== null;
  }

  get key(): string {
    return leaseKey(this.#job.record);
  }

  get lease(): { attemptId: string; epoch: number } {
    return { attemptId: this.#job.record.attemptId, epoch: this.#job.record.epoch };
  }

  /** As its file says; null where it says nothing. */
  get maxDiskBytes(): number | null {
    return this.#job.spec.job.resources.diskBytes ?? null;
  }

  /** False once the server has the result, although cleaning may still continue. */
  get holdsSlot(): boolean {
    return !this.#settled;
  }

  /** Runs the lease to its end, cleaning included. Never rejects; call it once. */
  run(): Promise<void> {
    const { spec, stop, sharedWorkspaces } = this.#job;
    this.#runs ??= sharedWorkspaces
      .inTurn(spec.sharedWorkspace, stop.asked, () => this.#run())
      .catch((error: unknown) => {
        this.#job.logger.error({ err: error }, "a job ended abnormally");
      });
    return this.#runs;
  }

  /** It holds a slot of a concurrency group and would be given to another runner; one that is never rerun stays, once it has begun. */
  get isFenced(): boolean {
    const { spec, record } = this.#job;
    const hasBegun = record.steps.length > 0 || record.runningSteps.length > 0;
    return spec.holdsSlot && this.#result === null && (spec.job.rerunIfLost || !hasBegun);
  }

  /** The containers end by themselves after this time, unless they are told again. */
  keepFor(ms: number): void {
    this.#keptUntilMs = performance.now() + ms;
    this.#tellFence();
  }

  fence(): void {
    this.stop(
      infraStop(
        0,
        "The job holds a slot of a concurrency group and was ended because its runner could not reach the server for too long.",
      ),
    );
  }

  #tellFence(): void {
    if (this.#keptUntilMs === null || !this.#environment) return;
    this.#environment.fence(Math.max(1, this.#keptUntilMs - performance.now())).catch((error: unknown) => {
      this.#job.logger.error({ err: error }, "a job could not be told how long it may run");
    });
  }

  stop(request: StopRequest): void {
    this.#job.logger.info({ reason: request.reason, force: request.force }, "stopping a job");
    this.#job.stop.ask(request);
  }

  /** The lease is lost: nothing more is run or reported. */
  revoke(): void {
    this.#job.stop.revoke();
    for (const stream of this.#job.spec.streams) this.#job.logs.wake(stream);
  }

  /** What its processes hold open that has no name; see `JobEnvironment.namelessBytes`. */
  async unlinkedBytes(): Promise<DiskBytes> {
    return (await this.#environment?.unlinkedBytes()) ?? { bytes: 0 };
  }

  /** What it takes of the disk; see `JobEnvironment.diskUsage`. */
  async diskUsage(): Promise<DiskUsage> {
    const inEnvironment = await this.#environment?.diskUsage();
    const checkout = await diskUsage(join(this.#job.settings.checkoutDir, this.key));
    return sumOfUsage(inEnvironment ? [inEnvironment, checkout] : [checkout]);
  }

  attachLogs(streams: readonly LeaseStream[]): void {
    this.#job.logs.attach(streams);
  }

  async #run(): Promise<void> {
    const { record, stop } = this.#job;
    await this.#openSetupLog();
    if (this.#result === null) {
      const timer = startJobTimer(this.#job, (request) => this.stop(request));
      const failure = await this.#work();
      clearTimeout(timer);
      if (!stop.revoked.aborted) await this.#collect(failure);
    }
    stop.dispose();
    moveJob(record, stop.revoked.aborted ? "revoke" : "clean");
    const cleaned = this.#clean();
    if (!stop.revoked.aborted) await this.#report();
    this.#settled = true;
    await this.#job.logs.dispose();
    await cleaned;
    moveJob(record, "report");
  }

  async #openSetupLog(): Promise<void> {
    const { logs, setup } = this.#job;
    const stream = logs.stream("setup");
    if (stream) await logs.open(stream, setup.path);
  }

  /** The set-up is over. Its log ends with it, so that readers of a running job's whole log get on to the steps. */
  async #endSetupLog(): Promise<void> {
    const { logs, setup } = this.#job;
    await setup.close();
    await logs.end(logs.stream("setup"));
  }

  /** Prepares (or takes up again) and runs the steps; what went wrong outside of them, or null. */
  async #work(): Promise<Outcome | null> {
    const job = this.#job;
    const { refusal } = job.spec;
    if (refusal) {
      this.#enter("prepare");
      job.setup.line(refusal.message);
      return { status: "error", ...refusal, exitCode: null };
    }
    try {
      const { environment, resumed } = await this.#ready();
      this.#enter(resumed ? "resume" : "run");
      // What cannot be ended now is ended with the job.
      void this.#endSetupLog().catch(() => undefined);
      const prepared = { ...job, environment };
      if (job.spec.holdsSlot && !job.spec.job.rerunIfLost) await environment.fence(null);
      await job.shells.begin(environment, resumed);
      await runSteps(prepared, resumed);
      await saveCaches(prepared);
      await leaveReports(prepared);
      const failure = await leaveArtifacts(prepared);
      await keepContainer(prepared, failure);
      return failure;
    } catch (error) {
      if (job.stop.asked.aborted) return null;
      const outcome = failureOutcome(error, (id, cause) =>
        job.logger.error({ err: cause, id }, "a job failed on this runner"),
      );
      job.setup.line(outcome.message ?? "The job failed.");
      return outcome;
    }
  }

  async #ready(): Promise<{ environment: JobEnvironment; resumed: boolean }> {
    const { record, engine, reports, setup } = this.#job;
    reports.started(record.startedAtMs);
    if (record.handle && record.prepared) {
      const environment = await engine.reattach(record.handle);
      if (environment) {
        // So that whoever watches a service sees it continue at once, not only at the job's end.
        await Promise.all(environment.services().map((service) => this.#job.logs.openService(service)));
        return { environment: this.#hold(environment), resumed: true };
      }
      if (record.steps.length > 0 || record.runningSteps.length > 0) throw new LostEnvironment();
    }
    if (record.handle) setup.line("The runner was restarted; preparing again");
    record.handle = null;
    this.#enter("prepare");
    const environment = await prepareJob(this.#job, (made) => this.#hold(made));
    return { environment, resumed: false };
  }

  #hold(environment: JobEnvironment): JobEnvironment {
    this.#environment = environment;
    this.#tellFence();
    return environment;
  }

  async #collect(failure: Outcome | null): Promise<void> {
    const { record, stop, setup } = this.#job;
    this.#enter("collect");
    // A stop that is requested from now on comes too late, as does one that ended the keeping of a failed job.
    const stopped = record.keptUntilMs === undefined ? stop.timed : null;
    await this.#job.shells.end();
    await setup.close().catch(() => undefined);
    await this.#endServices();
    this.#result = jobResult(this.#job, failure, stopped);
    record.result = this.#result;
    record.runningSteps = [];
    await this.#keepResult();
    crashPoint("result.saved-before-sent");
  }

  /** Where it cannot be kept, as on a disk that the job has filled, it is told all the same: cleaning makes room again. */
  async #keepResult(): Promise<void> {
    await this.#job.save().catch((error: unknown) => {
      this.#job.logger.error({ err: error }, "a job's result could not be written to the state file");
    });
  }

  /** Before the result is fixed: from then on, a restarted agent delivers what is in the files and looks no further. */
  async #endServices(): Promise<void> {
    if (!this.#environment) return;
    const prepared = { ...this.#job, environment: this.#environment };
    await endServices(prepared);
    warnRefusedHosts(prepared);
  }

  /** Removes what the engine made. Where logs lie in the job's own directory, they are delivered first. */
  async #clean(): Promise<void> {
    const { settings, logger, stop, logs } = this.#job;
    if (logs.needsJobDir && !stop.revoked.aborted) await logs.finish().catch(() => undefined);
    const removal = Promise.all([
      this.#destroy(),
      rm(join(settings.checkoutDir, this.key), { recursive: true, force: true }),
    ]);
    const outcome = await outcomeWithin(removal, cleaningDeadlineMs);
    if (outcome === "late" || outcome instanceof Error)
      logger.error({ err: outcome }, "cleaning up after a job failed or takes long; retrying");
  }

  async #destroy(): Promise<void> {
    const { record, engine } = this.#job;
    if (this.#environment) await this.#environment.destroy();
    else if (record.handle) await engine.discard(record.handle);
  }

  async #report(): Promise<void> {
    const { logs } = this.#job;
    const { revoked } = this.#job.stop;
    const lost = new Promise<void>((resolve) => {
      if (revoked.aborted) resolve();
      revoked.addEventListener("abort", () => resolve());
    });
    await Promise.race([logs.finish(), lost]);
    if (this.#result && !revoked.aborted) await Promise.race([this.#deliver(this.#result), lost]);
  }

  #enter(event: Parameters<typeof moveJob>[1]): void {
    moveJob(this.#job.record, event);
    void this.#job.save().catch((error: unknown) => {
      this.#job.logger.error({ err: error }, "the state file could not be written");
    });
  }
}
