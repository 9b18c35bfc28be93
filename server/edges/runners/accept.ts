/**
 * One socket of a runner from its opening to its end: messages count against its budget; `hello` must come first and in time,
 * and is answered once; messages meanwhile wait.
 */
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { closeCodes, runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { WebSocket } from "ws";
import type { ConnectedRunner } from "../../domains/pipelines/domain.ts";
import { createTurns } from "../../platform/sockets/keyed-queue.ts";
import { costOf, costs, type RunnerBudgets } from "./budget.ts";
import type { HelloMessage } from "./handshake.ts";
import { createRunnerLink, type RunnerLink } from "./link.ts";
import { handleRunnerMessage } from "./messages.ts";
import type { RunnerHubDeps, RunnerSession } from "./session.ts";

/** Maximum length of a message; a heartbeat that names 2,000 leases has half of it. */
const usualBytes = 256 * 1024;

export interface AcceptDeps {
  deps: Pick<RunnerHubDeps, "logger" | "metrics" | "settings">;
  budgets: RunnerBudgets;
  /** All that are open. */
  links: Set<RunnerLink>;
  isStopping(): boolean;
  /** Undefined: the link was closed with the reason. */
  greet(link: RunnerLink, runner: ConnectedRunner, hello: HelloMessage): Promise<RunnerSession | undefined>;
  enter(session: RunnerSession): void;
  leave(session: RunnerSession): void;
}

/** Takes over an accepted socket whose credential was checked. */
export type Accept = (socket: WebSocket, runner: ConnectedRunner, ipAddress: string) => void;

export function createAccept(hub: AcceptDeps): Accept {
  const { deps, links } = hub;
  /** Handshakes of one runner run one after the other, so that of simultaneous connections one is left. */
  const turns = createTurns();
  return (socket, runner, ipAddress) => {
    const early: RunnerMessage[] = [];
    let session: RunnerSession | undefined;
    let greeting = false;
    const isAfforded = (cost: number) => charge(hub, { link, runner }, cost);
    const deadline = setTimeout(
      () => link.close(closeCodes.silent, "hello was not received in time"),
      deps.settings.helloMs,
    ).unref();

    async function begin(hello: HelloMessage): Promise<void> {
      clearTimeout(deadline);
      // Further messages wait in the network; only those already received are kept here.
      link.pause();
      await turns.take(runner.id, () => greetAndEnter(hello)).finally(link.resume);
      for (const message of early.splice(0)) if (session) void handle(session, message);
    }

    async function greetAndEnter(hello: HelloMessage): Promise<void> {
      const greeted = link.isOpen() ? await hub.greet(link, runner, hello) : undefined;
      if (!greeted) return;
      if (!link.isOpen()) return hub.leave(greeted);
      session = greeted;
      hub.enter(greeted);
    }

    function handle(greeted: RunnerSession, message: RunnerMessage): Promise<void> | undefined {
      return isAfforded(costOf(greeted, message)) ? handleRunnerMessage(greeted, message) : undefined;
    }

    function receiveFirst(message: RunnerMessage): void {
      if (greeting) early.push(message);
      else if (message.t !== "hello") link.cutOff(closeCodes.bad_frame, "the first message must be hello");
      else if (isAfforded(costs.leaseInHello * message.leases.length)) {
        greeting = true;
        begin(message).catch((error: Error) => {
          deps.logger.warn({ runner_id: runner.id, error: error.message }, "runner could not be greeted");
          link.close(closeCodes.going_away, "the server cannot handle this right now");
        });
      }
    }

    const link: RunnerLink = createRunnerLink(socket, ipAddress, {
      maxBytes: () => (session && session.leases.size === 0 ? usualBytes : runnerMessageBytes),
      charge: isAfforded,
      onMessage(message) {
        if (session) return handle(session, message);
        receiveFirst(message);
        return undefined;
      },
      onLogFrame(frame) {
        if (session) return session.flow.receive(frame);
        link.strike("log frame before welcome");
        return undefined;
      },
      onSign: () => void isAfforded(costs.sign),
      onClose() {
        clearTimeout(deadline);
        links.delete(link);
        if (session) hub.leave(session);
      },
    });
    links.add(link);
    // The opening costs too, so that opening connections without a message also uses it up.
    void isAfforded(costs.opening);
    if (hub.isStopping()) link.close(closeCodes.going_away, "server is shutting down");
    else if (socket.protocol !== runnerSubprotocol)
      link.cutOff(
        closeCodes.no_common_protocol,
        `this server requires the sub-protocol ${runnerSubprotocol}`,
      );
  };
}

/** False if the runner has used up its budget, and is disconnected. */
function charge(
  { deps, budgets }: AcceptDeps,
  { link, runner }: { link: RunnerLink; runner: ConnectedRunner },
  cost: number,
): boolean {
  const budget = budgets.of(runner.id);
  if (!link.isOpen()) return false;
  if (budget.spend(cost)) return true;
  const seconds = Math.ceil(budget.waitMs() / 1000);
  deps.metrics.cutOff.inc();
  deps.logger.warn({ runner_id: runner.id }, "a runner sent more than its budget; connection closed");
  link.cutOff(closeCodes.slow_down, `too many messages for its jobs; reconnect in ${seconds} s`);
  return false;
}
