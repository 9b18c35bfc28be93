/**
 * One runner after its `hello`: its leases, its offers, and its permissions. Messages about one lease are handled one after the
 * other; different leases, and heartbeats, do not wait for each other. Leases are in the database: the session has only what
 * this connection needs.
 */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type {
  CancelColumn,
  Dispatcher,
  LeaseName,
  LeaseService,
  RunnerOffers,
  ConnectedRunner,
  RunnerConnection,
  RunnerConnections,
  RunnerMetrics,
  RunnerSettings,
  LogIngest,
  ShellService,
} from "../../domains/pipelines/domain.ts";
import type { Logger } from "../../platform/logger.ts";
import { messagesOfLease } from "./budget.ts";
import type { LogFlow } from "./log-flow.ts";
import type { RunnerLink } from "./link.ts";

export interface RunnerHubDeps {
  logger: Logger;
  logs: LogIngest;
  leases: LeaseService;
  connections: RunnerConnections;
  dispatcher: Dispatcher;
  settings: RunnerSettings;
  metrics: RunnerMetrics;
  shells: Pick<ShellService, "wanted" | "end" | "onChange">;
}

export interface SessionLease {
  epoch: number;
  /** Names run, job, attempt and runner in every line. */
  logger: Logger;
  leasedAt: number;
  /** Its result is being recorded. */
  finishing: boolean;
  /** How many messages it still justifies; see `budget.ts`. */
  messagesLeft: number;
}

export interface RunnerSession {
  readonly deps: RunnerHubDeps;
  readonly link: RunnerLink;
  readonly runner: ConnectedRunner;
  readonly instanceId: string;
  /** Whether it opens shells; undefined: it is too old to know them. */
  readonly opensShells: boolean | undefined;
  /** The database's state of this connection; labels, capacity and pauses change during it. */
  connection: RunnerConnection;
  readonly flow: LogFlow;
  readonly leases: Map<string, SessionLease>;
  readonly offers: RunnerOffers;
  /** Milliseconds to add to the runner's clock to get the database's. */
  readonly clockOffsetMs: number;
  /** Runs the work after all earlier work on this attempt; failures are answered with `internal`. */
  inOrder(attemptId: string, messageId: number, work: () => Promise<void>): Promise<void>;
  hold(lease: LeaseName, spec: LeaseSpec): void;
  forget(attemptId: string): void;
  sendCancel(lease: LeaseName, cancel: CancelColumn): void;
  /** Records and counts that it named a lease of another runner; null: a channel of none of its leases. */
  noteForeignLease(attemptId: string | null): Promise<void>;
  /** Closes this connection if another one has replaced it. */
  recheckConnection(): Promise<void>;
}

export interface SessionStart {
  deps: RunnerHubDeps;
  link: RunnerLink;
  runner: ConnectedRunner;
  hello: {
    instanceId: string;
    capacity: number;
    draining: boolean;
    clockMs: number;
    shells: boolean | undefined;
  };
  connection: RunnerConnection;
  flow: LogFlow;
  recheckConnection: () => Promise<void>;
  noteForeignLease: RunnerSession["noteForeignLease"];
}

export function createRunnerSession(start: SessionStart): RunnerSession {
  const { deps, link, flow, hello } = start;
  const tails = new Map<string, Promise<void>>();

  const session: RunnerSession = {
    deps,
    link,
    runner: start.runner,
    instanceId: hello.instanceId,
    opensShells: hello.shells,
    connection: start.connection,
    flow,
    leases: new Map(),
    offers: deps.dispatcher.offersTo({
      runner: start.runner,
      hello,
      isOpen: link.isOpen,
      state: () => session.connection,
      countLeases: () => session.leases.size,
      offer({ attemptId, epoch, repositoryId, image, labels }, deadlineMs) {
        link.send({ t: "offer", attemptId, epoch, repositoryId, image, labels, deadlineMs });
      },
    }),
    clockOffsetMs: start.connection.serverTimeMs - hello.clockMs,
    inOrder(attemptId, messageId, work) {
      const before = tails.get(attemptId) ?? Promise.resolve();
      const tail = before.then(work).catch((error: Error) => {
        const logger = session.leases.get(attemptId)?.logger ?? deps.logger;
        logger.error({ err: error, attempt_id: attemptId }, "runner message failed");
        link.nack(messageId, {
          code: "internal",
          message: "The server could not record this; send it again.",
        });
      });
      tails.set(attemptId, tail);
      void tail.then(() => tails.get(attemptId) === tail && tails.delete(attemptId));
      return tail;
    },
    hold(lease, spec) {
      session.leases.set(lease.attemptId, {
        epoch: lease.epoch,
        logger: deps.logger.child({
          pipeline_id: spec.pipelineId,
          job_id: spec.jobId,
          attempt_id: spec.attemptId,
          runner_id: start.runner.id,
        }),
        leasedAt: performance.now(),
        finishing: false,
        messagesLeft: messagesOfLease(spec),
      });
      flow.open(lease.attemptId, spec.streams);
    },
    forget(attemptId) {
      flow.close(attemptId);
      if (session.leases.delete(attemptId)) deps.dispatcher.wake();
    },
    sendCancel(lease, cancel) {
      const { reason, message, status, force } = cancel;
      const { attemptId, epoch } = lease;
      const graceMs = cancel.graceMs ?? deps.settings.cancelGraceMs;
      link.send({ t: "cancel", attemptId, epoch, reason, message: message ?? "", status, graceMs, force });
    },
    recheckConnection: start.recheckConnection,
    noteForeignLease: start.noteForeignLease,
  };
  return session;
}
