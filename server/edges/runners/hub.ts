/**
 * All runner connections of this process, and events for them from elsewhere (a cancellation, a revoked credential). The
 * dispatcher decides which jobs to offer, and the workflow what comes next in a run.
 */
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import { judgeConnection, type ConnectionState } from "../../domains/pipelines/domain.ts";
import type { Lifecycle } from "../../platform/lifecycle.ts";
import { createAccept, type Accept } from "./accept.ts";
import { costs, createRunnerBudgets } from "./budget.ts";
import { drainCommand } from "./drain-command.ts";
import { greet } from "./greet.ts";
import { replacedByNewer } from "./handshake.ts";
import { revoke } from "./lease-refusals.ts";
import type { RunnerLink } from "./link.ts";
import { requestShells, sendKeepOpen } from "./shell-requests.ts";
import type { RunnerHubDeps, RunnerSession } from "./session.ts";

const silence = "no message received for too long";
const reasonsOfEnd = { revoked: "this runner was removed", replaced: replacedByNewer, silent: silence };

export interface RunnerHub extends Lifecycle {
  /** For how long a runner that used up its budget may not connect; 0 for all others. */
  waitMs(runnerId: string): number;
  /** Of a socket beside its connection; what it costs beyond the budget closes that connection at its next message. */
  chargeOpening(runnerId: string): void;
  accept: Accept;
  start(): void;
  /** Sends `goodbye` to every runner, and puts offers back. Running jobs continue. */
  drain(): Promise<void>;
}

export function createRunnerHub(deps: RunnerHubDeps): RunnerHub {
  const sessions = new Map<string, RunnerSession>();
  const links = new Set<RunnerLink>();
  const { dispatcher } = deps;
  const budgets = createRunnerBudgets(deps.settings.budget);
  const stops: (() => void)[] = [];
  let stopping = false;

  const guard = (what: string, work: Promise<unknown>) =>
    void work.catch((error: Error) => deps.logger.warn({ error: error.message }, what));

  const applyConnection = (session: RunnerSession, connection: ConnectionState | undefined) => {
    const verdict = judgeConnection(connection, session.connection.connectedAt);
    if ("ended" in verdict) return session.link.close(closeCodes[verdict.ended], reasonsOfEnd[verdict.ended]);
    const { paused, labels, mustName, groupId, capacity, ...drain } = verdict.current;
    const { draining, drainDeadline, drainMs } = drain;
    const before = session.connection;
    if (draining !== before.draining || drainDeadline !== before.drainDeadline)
      session.link.send(drainCommand(drain));
    const current = { paused, labels, mustName, groupId, capacity, draining, drainDeadline, drainMs };
    session.connection = { ...before, ...current };
    dispatcher.wake();
  };

  const recheckConnections = async (runnerId: string) => {
    const wanted = [...sessions.values()].filter((session) => !runnerId || session.runner.id === runnerId);
    if (wanted.length === 0) return;
    const connections = await deps.connections.of(wanted.map((session) => session.runner.id));
    for (const session of wanted)
      applyConnection(
        session,
        connections.find((connection) => connection.id === session.runner.id),
      );
  };

  const enter = (session: RunnerSession) => {
    sessions.get(session.runner.id)?.link.close(closeCodes.replaced, replacedByNewer);
    sessions.set(session.runner.id, session);
    deps.metrics.sockets.set(sessions.size);
    deps.logger.info({ runner_id: session.runner.id, instance: session.instanceId }, "runner connected");
    dispatcher.enter(session.offers);
  };

  const leave = (session: RunnerSession) => {
    if (sessions.get(session.runner.id) === session) sessions.delete(session.runner.id);
    dispatcher.leave(session.offers);
    deps.metrics.sockets.set(sessions.size);
    deps.logger.info({ runner_id: session.runner.id, instance: session.instanceId }, "runner disconnected");
    if (!stopping) guard("runner could not be marked as gone", vacate(session));
  };

  const vacate = async (session: RunnerSession) => {
    const { connectedAt } = session.connection;
    await session.offers.returnAll();
    await deps.connections.leave({ runnerId: session.runner.id, connectedAt });
  };

  const accept = createAccept({
    deps,
    budgets,
    links,
    isStopping: () => stopping,
    greet: (link, runner, hello) =>
      greet(deps, {
        link,
        runner,
        hello,
        budget: budgets.of(runner.id),
        older: sessions.get(runner.id),
        recheckConnection: () => recheckConnections(runner.id),
      }),
    enter,
    leave,
  });

  return {
    waitMs: (runnerId) => budgets.of(runnerId).waitMs(),
    chargeOpening: (runnerId) => void budgets.of(runnerId).spend(costs.opening),
    accept,

    start() {
      dispatcher.start();
      stops.push(
        deps.leases.onChange((id) => guard("attempt not looked at", onAttempt(sessions, id))),
        deps.connections.onChange((id) => guard("runner not looked at", recheckConnections(id))),
        deps.shells.onChange((id, news) => {
          if (news === "wanted" || id === "")
            guard("shells not requested", requestShells(deps.shells, sessions, id || null));
        }),
        every(deps.settings.cancelRepeatMs, () => {
          guard("cancels not repeated", repeatCancels(deps, sessions));
          guard("shells not requested", requestShells(deps.shells, sessions, null));
        }),
        every(Math.min(1_000, deps.settings.heartbeatMs), () => closeSilent(deps, links)),
      );
    },

    async drain() {
      stopping = true;
      for (const stop of stops) stop();
      for (const session of sessions.values())
        session.link.send({
          t: "bye",
          reconnectAfterMs: Math.round(Math.random() * deps.settings.byeSpreadMs),
        });
      const leaving = [...sessions.values()];
      for (const link of links) link.close(closeCodes.going_away, "server is shutting down");
      await dispatcher.close();
      await Promise.allSettled(leaving.map(vacate));
    },
  };
}

function every(ms: number, action: () => void): () => void {
  const timer = setInterval(action, ms);
  return () => clearInterval(timer);
}

/** An attempt was cancelled, ended or reclaimed, perhaps elsewhere; an empty id: notifications may have been missed. */
async function onAttempt(sessions: Map<string, RunnerSession>, attemptId: string): Promise<void> {
  for (const session of sessions.values())
    for (const [id, lease] of session.leases) {
      if ((attemptId && attemptId !== id) || lease.finishing) continue;
      const name = { attemptId: id, epoch: lease.epoch };
      const judged = await session.deps.leases.judge({ ...name, runnerId: session.runner.id });
      const { verdict, cancel, keepOpenMs } = judged;
      if (verdict === "over") session.forget(id);
      else if (verdict !== "held") revoke(session, name);
      else {
        sendKeepOpen(session, name, keepOpenMs);
        if (cancel) session.sendCancel(name, cancel);
      }
    }
}

async function repeatCancels(deps: RunnerHubDeps, sessions: Map<string, RunnerSession>): Promise<void> {
  const holding = [...sessions.values()].filter((session) => session.leases.size > 0);
  if (holding.length === 0) return;
  const runnerIds = holding.map((session) => session.runner.id);
  for (const { runnerId, cancel, ...lease } of await deps.leases.cancelled(runnerIds))
    sessions.get(runnerId)?.sendCancel(lease, cancel);
}

/** Includes those without `hello`, and those replaced by another connection. */
function closeSilent(deps: RunnerHubDeps, links: Iterable<RunnerLink>): void {
  const oldest = performance.now() - deps.settings.silentMs;
  for (const link of links) if (link.heardAt() < oldest) link.close(closeCodes.silent, silence);
}
