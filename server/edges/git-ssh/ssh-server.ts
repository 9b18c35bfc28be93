/**
 * The SSH server: accepts connections up to its limits, and logs them in by key. Addresses that fail to log in too often are
 * refused for a while (the `auth` limit, which all entry points and servers share).
 */
import type { Socket } from "node:net";
import ssh2 from "ssh2";
import type { RateLimits } from "../../domains/operation/domain.ts";
import { addressSubject } from "../../platform/access/subject.ts";
import { addressBlock } from "../../platform/network/address-block.ts";
import { plainAddress } from "../../platform/network/address-ranges.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { algorithms, hostKeysByAlgorithm } from "../../platform/ssh/algorithms.ts";
import { awaitKeyExchange } from "./await-key-exchange.ts";
import { serveConnection, type ConnectionDeps, type SshConnection } from "./connection.ts";
import { createHandshakes } from "./handshakes.ts";
import type { SshHostKeys } from "../../platform/ssh/host-keys.ts";
import { joinWrites } from "./join-writes.ts";
import { throttleReads } from "./throttled-reads.ts";
import type { Login } from "./login.ts";
import { createSshMetrics } from "./metrics.ts";
import { createPacketBudgets, type PacketMeter } from "./packet-budget.ts";
import { createPacketQueue } from "./packet-queue.ts";
import { chooseEviction } from "./choose-eviction.ts";
import { createRunCommand, type RunCommandDeps } from "./run-command.ts";

export interface SshServerDeps extends Omit<RunCommandDeps, "metrics">, Omit<ConnectionDeps, "run"> {
  hostKeys: SshHostKeys;
  metrics: Metrics;
}

export interface SshServer {
  accept(socket: Socket): void;
  /**
   * Accepts no further connections, and one more command at most on each open one; resolves when none is left, or all were cut
   * after `drainMs`.
   */
  close(drainMs: number): Promise<void>;
}

interface Open {
  socket: Socket;
  block: string;
  ipAddress: string;
  /** It sent more than a login needs. */
  isFlood: boolean;
  /** From the client's first line on. */
  connection?: SshConnection;
}

export function createSshServer(deps: SshServerDeps): SshServer {
  const { limits } = deps;
  const open = new Set<Open>();
  const ofAddress = new Map<string, number>();
  const shutOut = createLoginBlocker(deps.rateLimits);
  const metrics = createSshMetrics(deps.metrics, () => open.size);
  const run = createRunCommand({ ...deps, metrics });
  const hostKeys = hostKeysByAlgorithm(deps.hostKeys.keys);
  const handshakes = createHandshakes(limits.handshakes);
  const turns = createPacketQueue();
  const meterPackets = createPacketBudgets(limits.packets, turns);
  let onAllClosed: (() => void) | undefined;

  function mayConnect(ipAddress: string): boolean {
    if (onAllClosed || open.size >= limits.maxConnections || shutOut.has(ipAddress)) return false;
    const block = addressBlock(ipAddress);
    if ((ofAddress.get(block) ?? 0) >= limits.maxOfAddress) return false;
    // Connections without a login must not take all slots from those that could log in. An evicted one counts until its socket
    // has closed, and must not be evicted twice.
    const strangers = [...open].filter(
      ({ socket, connection }) => !socket.destroyed && !connection?.login.fingerprint(),
    );
    if (strangers.length < limits.maxConnections / 2) return true;
    const yielding = chooseEviction(strangers, block);
    yielding?.socket.destroy();
    return yielding !== undefined;
  }

  function enter(entry: Open): void {
    const { block, ipAddress } = entry;
    open.add(entry);
    ofAddress.set(block, (ofAddress.get(block) ?? 0) + 1);
    entry.socket.once("close", () => {
      open.delete(entry);
      const left = (ofAddress.get(block) ?? 1) - 1;
      if (left > 0) ofAddress.set(block, left);
      else ofAddress.delete(block);
      const login = entry.connection?.login;
      metrics.connections.inc({ result: entry.isFlood ? "flooded" : resultOf(login) });
      if (login?.hasFailed()) shutOut.count(ipAddress);
      if (open.size === 0) onAllClosed?.();
    });
  }

  function meterOf(entry: Open): PacketMeter {
    const { socket } = entry;
    const meter = meterPackets({
      socket,
      onHeld: () => metrics.held.inc({ what: "packets" }),
      onFlood() {
        entry.isFlood = true;
        if (entry.connection) entry.connection.end();
        else socket.destroy();
      },
    });
    throttleReads(socket, meter, turns);
    return meter;
  }

  function speak(entry: Open, onLogin: () => void): void {
    const { socket, ipAddress } = entry;
    socket.setNoDelay(true);
    joinWrites(socket);
    awaitKeyExchange(socket);
    const meter = meterOf(entry);
    // One for each connection, so that it is certain which socket belongs to a client.
    const server = new ssh2.Server({ hostKeys, algorithms, ident: "Forgeline" }, (client, info) => {
      meter.watch(client);
      entry.connection = serveConnection(
        { ...deps, run },
        { client, socket, ipAddress, info, meter, onLogin },
      );
      if (onAllClosed) entry.connection.drain();
    });
    server.injectSocket(socket);
  }

  return {
    accept(socket) {
      if (socket.destroyed) return;
      const ipAddress = plainAddress(socket.remoteAddress ?? "");
      if (!mayConnect(ipAddress)) {
        metrics.connections.inc({ result: "turned_away" });
        // Clients show what comes before the protocol when they are asked for details.
        socket.on("error", () => undefined);
        socket.end("Too many connections or failed logins; try again later.\r\n");
        socket.destroySoon();
        return;
      }
      const entry: Open = { socket, ipAddress, block: addressBlock(ipAddress), isFlood: false };
      enter(entry);
      const late = setTimeout(() => socket.destroy(), limits.loginMs);
      socket.once("close", () => clearTimeout(late));
      handshakes.begin({
        block: entry.block,
        isGone: () => socket.destroyed,
        onHeld: () => metrics.held.inc({ what: "connection" }),
        mayBegin: (handshake) =>
          speak(entry, () => {
            clearTimeout(late);
            handshake.loggedIn();
          }),
      });
    },
    async close(drainMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onAllClosed = resolve;
      if (open.size === 0) return;
      for (const { connection } of open) connection?.drain();
      const destroy = (which: (entry: Open) => boolean) => {
        for (const entry of [...open].filter(which)) entry.socket.destroy();
      };
      const late = setTimeout(
        () => destroy(({ connection }) => !connection?.login.fingerprint()),
        limits.leaveMs,
      );
      const timer = setTimeout(() => destroy(() => true), drainMs);
      await promise;
      clearTimeout(late);
      clearTimeout(timer);
    },
  };
}

const resultOf = (login: Login | undefined) => (login?.fingerprint() ? "logged_in" : "not_logged_in");

/** Addresses whose logins failed more often than the `auth` limit allows, until its window ends. */
function createLoginBlocker(rateLimits: RateLimits) {
  const until = new Map<string, number>();
  const maxRemembered = 10_000;
  return {
    has: (ipAddress: string) => (until.get(addressBlock(ipAddress)) ?? 0) > performance.now(),
    count(ipAddress: string): void {
      void rateLimits.take("auth", addressSubject(ipAddress)).then((taken) => {
        if (!taken || taken.allowed) return;
        if (until.size >= maxRemembered) until.clear();
        until.set(addressBlock(ipAddress), performance.now() + taken.status.secondsLeft * 1000);
      });
    },
  };
}
