/**
 * All runner connections of this process: who is connected, and what reaches them from elsewhere (a queued attempt, a
 * cancel, a revoked credential). It decides who executes; what comes next in a run is the workflow's to decide.
 */
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { closeCodes, runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { WebSocket } from "ws";
import type { ConnectedRunner, ConnectionState } from "../../domains/pipelines/domain.ts";
import type { Lifecycle } from "../../platform/lifecycle.ts";
import { createTurns } from "../../platform/sockets/keyed-queue.ts";
import { costOf, costs, createRunnerBudgets } from "./budget.ts";
import { chooseProtocol, claimConnection, replacedByNewer, welcome, type HelloMessage } from "./handshake.ts";
import { createRunnerLink, type RunnerLink } from "./link.ts";
import { createLogFlow } from "./log-flow.ts";
import { handleRunnerMessage } from "./messages.ts";
import { revoke } from "./lease-refusals.ts";
import { createRunnerSession, type RunnerHubDeps, type RunnerSession } from "./session.ts";

/** Of a message; a heartbeat that names 2,000 leases has half of it. */
const usualBytes = 256 * 1024;

export interface RunnerHub extends Lifecycle {
  /** For how long a runner that used up its budget may not connect; 0 for all others. */
  waitMs(runnerId: string): number;
  /** Takes over an accepted socket whose credential was checked. */
  accept(socket: WebSocket, runner: ConnectedRunner, ipAddress: string): void;
  start(): void;
  /** Says goodbye to every runner, and gives offers back. Running jobs go on. */
  drain(): Promise<void>;
}

export function createRunnerHub(deps: RunnerHubDeps): RunnerHub {
  const sessions = new Map<string, RunnerSession>();
  const links = new Set<RunnerLink>();
  const { dispatcher } = deps;
  const budgets = createRunnerBudgets(deps.settings.budget);
  /** Greetings of one runner: each sees whom the one before let in, so that of connections that greet at once one is left. */
  const turns = createTurns();
  const stops: (() => void)[] = [];
  let stopping = false;

  const guard = (what: string, work: Promise<unknown>) =>
    void work.catch((error: Error) => deps.logger.warn({ error: error.message }, what));

  const applyConnection = (session: RunnerSession, connection: ConnectionState | undefined) => {
    if (!connection || connection.revoked) {
      session.link.close(closeCodes.revoked, "this runner was removed");
    } else if (connection.connectedAt !== session.connection.connectedAt) {
      const replaced = connection.connectedAt !== null;
      const code = replaced ? closeCodes.replaced : closeCodes.silent;
      session.link.close(code, replaced ? replacedByNewer : "no message received for too long");
    } else {
      const { paused, draining, labels, capacity } = connection;
      if (draining !== session.connection.draining)
        session.link.send({ t: "drain", draining, deadlineMs: null });
      session.connection = { ...session.connection, paused, draining, labels, capacity };
      dispatcher.wake();
    }
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

  const greet = async (link: RunnerLink, runner: ConnectedRunner, hello: HelloMessage) => {
    const protocol = chooseProtocol(link, hello);
    if (protocol === undefined) return undefined;
    const budget = budgets.of(runner.id);
    const connection = await claimConnection(deps, { link, runner, hello, budget }, sessions.get(runner.id));
    if (!connection) return undefined;
    const { windowBytes, windowBytesPerStream } = deps.settings;
    const noteForeignLease = async (attemptId: string | null) => {
      link.strike("spoke for another runner's lease");
      const { ipAddress } = link;
      if (budget.mayBeNoted()) await deps.leases.noteForeign(runner, { attemptId, ipAddress });
    };
    const onForeignChannel = () => guard("audit failed", noteForeignLease(null));
    const { logs, logger } = deps;
    const flow = createLogFlow({ link, logs, logger, windowBytes, windowBytesPerStream, onForeignChannel });
    const { instanceId, capacity, draining, clockMs } = hello;
    const session = createRunnerSession({
      deps,
      link,
      runner,
      // Not the message itself, which would be kept as long as the connection, with all that it lists.
      hello: { instanceId, capacity, draining, clockMs },
      connection,
      flow,
      recheckConnection: () => recheckConnections(runner.id),
      noteForeignLease,
    });
    await welcome(session, hello, protocol);
    return session;
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

  /** False when the runner has used up its budget, and is sent away. */
  const isAfforded = (link: RunnerLink, runner: ConnectedRunner, cost: number) => {
    const budget = budgets.of(runner.id);
    if (!link.isOpen()) return false;
    if (budget.spend(cost)) return true;
    const seconds = Math.ceil(budget.waitMs() / 1000);
    deps.metrics.cutOff.inc();
    deps.logger.warn({ runner_id: runner.id }, "a runner sent more than its budget; connection closed");
    link.cutOff(closeCodes.slow_down, `too many messages for its jobs; reconnect in ${seconds} s`);
    return false;
  };

  return {
    waitMs: (runnerId) => budgets.of(runnerId).waitMs(),
    accept(socket, runner, ipAddress) {
      const early: RunnerMessage[] = [];
      let session: RunnerSession | undefined;
      let greeting = false;
      const deadline = setTimeout(
        () => link.close(closeCodes.silent, "hello was not received in time"),
        deps.settings.helloMs,
      ).unref();
      const begin = async (hello: HelloMessage) => {
        clearTimeout(deadline);
        // What comes meanwhile waits in the network; only what had arrived already is kept here.
        link.pause();
        await turns.take(runner.id, () => greetAndEnter(hello)).finally(link.resume);
        for (const message of early.splice(0)) if (session) void handle(session, message);
      };
      const greetAndEnter = async (hello: HelloMessage) => {
        const greeted = link.isOpen() ? await greet(link, runner, hello) : undefined;
        if (!greeted) return;
        if (!link.isOpen()) return leave(greeted);
        session = greeted;
        enter(greeted);
      };
      const handle = (greeted: RunnerSession, message: RunnerMessage) =>
        isAfforded(link, runner, costOf(greeted, message))
          ? handleRunnerMessage(greeted, message)
          : undefined;
      const link: RunnerLink = createRunnerLink(socket, ipAddress, {
        maxBytes: () => (session && session.leases.size === 0 ? usualBytes : runnerMessageBytes),
        charge: (cost) => isAfforded(link, runner, cost),
        onMessage(message) {
          if (session) return handle(session, message);
          if (greeting) early.push(message);
          else if (message.t !== "hello")
            link.cutOff(closeCodes.bad_frame, "the first message must be hello");
          else if (isAfforded(link, runner, costs.leaseInHello * message.leases.length)) {
            greeting = true;
            begin(message).catch((error: Error) => {
              deps.logger.warn({ runner_id: runner.id, error: error.message }, "runner could not be greeted");
              link.close(closeCodes.going_away, "the server cannot handle this right now");
            });
          }
          return undefined;
        },
        onLogFrame(frame) {
          if (session) return session.flow.receive(frame);
          link.strike("log frame before welcome");
          return undefined;
        },
        onSign: () => void isAfforded(link, runner, costs.sign),
        onClose() {
          clearTimeout(deadline);
          links.delete(link);
          if (session) leave(session);
        },
      });
      links.add(link);
      // For the opening, too: who opens and says nothing uses it up as well.
      void isAfforded(link, runner, costs.opening);
      if (stopping) link.close(closeCodes.going_away, "server is shutting down");
      else if (socket.protocol !== runnerSubprotocol)
        link.cutOff(
          closeCodes.no_common_protocol,
          `this server requires the sub-protocol ${runnerSubprotocol}`,
        );
    },

    start() {
      dispatcher.start();
      stops.push(
        deps.leases.onChange((id) => guard("attempt not looked at", onAttempt(sessions, id))),
        deps.connections.onChange((id) => guard("runner not looked at", recheckConnections(id))),
        every(deps.settings.cancelRepeatMs, () =>
          guard("cancels not repeated", repeatCancels(deps, sessions)),
        ),
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

/** An attempt was cancelled, ended or taken away, perhaps elsewhere; an empty id: notifications were missed. */
async function onAttempt(sessions: Map<string, RunnerSession>, attemptId: string): Promise<void> {
  for (const session of sessions.values())
    for (const [id, lease] of session.leases) {
      if ((attemptId && attemptId !== id) || lease.finishing) continue;
      const name = { attemptId: id, epoch: lease.epoch };
      const { verdict, cancel } = await session.deps.leases.judge({ ...name, runnerId: session.runner.id });
      if (verdict === "over") session.forget(id);
      else if (verdict !== "held") revoke(session, name);
      else if (cancel) session.sendCancel(name, cancel);
    }
}

async function repeatCancels(deps: RunnerHubDeps, sessions: Map<string, RunnerSession>): Promise<void> {
  const holding = [...sessions.values()].filter((session) => session.leases.size > 0);
  if (holding.length === 0) return;
  const runnerIds = holding.map((session) => session.runner.id);
  for (const { runnerId, cancel, ...lease } of await deps.leases.cancelled(runnerIds))
    sessions.get(runnerId)?.sendCancel(lease, cancel);
}

/** Also those that have said no `hello`, or were replaced by another connection. */
function closeSilent(deps: RunnerHubDeps, links: Iterable<RunnerLink>): void {
  const oldest = performance.now() - deps.settings.silentMs;
  for (const link of links)
    if (link.heardAt() < oldest) link.close(closeCodes.silent, "no message received for too long");
}
