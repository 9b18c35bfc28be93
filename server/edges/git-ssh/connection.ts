/** One SSH connection after its handshake: login, then commands, and when it ends. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { ClientInfo, Connection, ServerChannel, Session } from "ssh2";
import type { Actor } from "../../platform/access/actor.ts";
import { subjectOf } from "../../platform/access/subject.ts";
import type { KeyOwners } from "../../domains/accounts/domain.ts";
import type { Locate } from "../../platform/geo.ts";
import type { Logger } from "../../platform/logger.ts";
import { createCommandChannel } from "./command-channel.ts";
import { readProtocol, type GitProtocol } from "./exchange.ts";
import { createSendWindow } from "./send-window.ts";
import type { SshLimits } from "./limits.ts";
import { acceptLogin, type Login } from "./login.ts";
import { packetCosts, type PacketMeter } from "./packet-budget.ts";
import type { RunCommand } from "./run-command.ts";

export interface ConnectionDeps {
  run: RunCommand;
  keyHolders: KeyOwners;
  limits: SshLimits;
  locate: Locate;
  logger: Logger;
}

export interface SshConnection {
  login: Login;
  /** Allows one command if there was none yet; ends when running commands have ended. */
  drain(): void;
  /** Ends it at once, with its running commands. */
  end(): void;
}

export interface NewConnection {
  client: Connection;
  socket: Socket;
  ipAddress: string;
  info: ClientInfo;
  meter: PacketMeter;
  onLogin(): void;
}

export function serveConnection(deps: ConnectionDeps, given: NewConnection): SshConnection {
  const { client, socket, meter } = given;
  const { limits, keyHolders, logger } = deps;
  const end = () => endSoon(client, socket, limits);
  // Each command listens to the connection that it shares.
  for (const emitter of [client, socket]) emitter.setMaxListeners(4 * limits.maxCommands);
  const login = acceptLogin({ client, keyHolders, logger, maxKeys: limits.maxKeys, end });
  const flow = createSendWindow(client, socket);
  let sessions = 0;
  let running = 0;
  let draining = false;
  let hasAsked = false;
  let unused: NodeJS.Timeout | undefined;

  /** Checks again when the last command has ended. */
  function endWhenUnused(): void {
    clearTimeout(unused);
    if (running > 0 || socket.destroyed) return;
    // Also after the last command: clients lose data that they have not passed on when the server disconnects.
    unused = setTimeout(end, draining ? limits.leaveMs : limits.unusedMs);
  }

  async function command(channel: ServerChannel, gone: AbortSignal, asked: Asked): Promise<void> {
    const holder = login.holder();
    // The library does not allow requests before.
    if (!holder) return end();
    meter.charge(packetCosts.command);
    running += 1;
    hasAsked = true;
    clearTimeout(unused);
    const watch = watchTime(limits, () => socket.destroy());
    try {
      await deps.run({
        fingerprint: login.fingerprint() ?? "",
        subject: subjectOf(holder.actor),
        ...asked,
        channel: createCommandChannel({ channel, flow, moved: watch.moved, pace: limits.pace }, gone),
        request: requestOf(given, deps.locate),
      });
    } catch (error) {
      logger.error({ err: error }, "could not answer an SSH command");
      end();
    } finally {
      watch.stop();
      running -= 1;
      endWhenUnused();
    }
  }

  client.on("error", (error) => {
    logger.debug({ error: error.message }, "an SSH connection failed");
    end();
  });
  client.on("close", () => {
    draining = true;
    clearTimeout(unused);
  });
  client.on("rekey", () => meter.charge(packetCosts.newKeys));
  client.on("ready", () => {
    meter.loggedIn(payerOf(login.holder()?.actor));
    given.onLogin();
    endWhenUnused();
  });
  client.on("session", (accept, reject) => {
    if (sessions >= limits.maxCommands || (draining && hasAsked)) return reject();
    sessions += 1;
    serveSession(accept(), client, { run: command, closed: () => (sessions -= 1) });
  });
  return {
    login,
    end,
    drain() {
      draining = true;
      endWhenUnused();
    },
  };
}

/** For a deploy key, the user who added it, because one user may add any number. */
function payerOf(actor: Actor | undefined): string {
  const { deployKey, userId } = actor ?? {};
  return deployKey?.addedBy?.id ?? deployKey?.repositoryId ?? userId ?? "";
}

/** A client that does not close its side, or is gone, must not keep ours open. */
function endSoon(client: Connection, socket: Socket, { farewellMs }: Pick<SshLimits, "farewellMs">): void {
  if (socket.destroyed) return;
  client.end();
  const timer = setTimeout(() => socket.destroy(), farewellMs);
  socket.once("close", () => clearTimeout(timer));
}

function requestOf({ ipAddress, info }: NewConnection, locate: Locate): NonNullable<Actor["request"]> {
  return {
    id: randomUUID(),
    ipAddress,
    userAgent: clientName(info),
    get geo() {
      return locate(ipAddress);
    },
  };
}

interface Asked {
  command: string | undefined;
  protocol: GitProtocol | undefined;
}

interface SessionHandlers {
  run(channel: ServerChannel, gone: AbortSignal, asked: Asked): Promise<void>;
  closed(): void;
}

/** One command and one variable of its environment; the library refuses whatever nobody listens for. */
function serveSession(session: Session, client: Connection, handlers: SessionHandlers): void {
  const gone = new AbortController();
  let protocol: GitProtocol | undefined;
  const over = () => {
    for (const event of ["end", "close"]) client.off(event, over);
    session.off("close", over);
    gone.abort(new Error("the client is gone"));
    handlers.closed();
  };
  client.on("end", over);
  client.on("close", over);
  session.on("close", over);
  session.on("env", (accept, reject, { key, val }) => {
    const read = readProtocol(key, val);
    if (!read) return reject?.();
    protocol = read;
    accept?.();
  });
  const start = (accept: () => ServerChannel | undefined, command: string | undefined) => {
    // Undefined if the client has ended the session before its request.
    const channel = accept();
    if (channel) void handlers.run(channel, gone.signal, { command, protocol });
  };
  session.once("exec", (accept, _reject, { command }) => start(accept, command));
  session.once("shell", (accept) => start(accept, undefined));
}

/** Ends commands without progress, and those that take too long. */
function watchTime(limits: SshLimits, end: () => void): { moved(): void; stop(): void } {
  const idle = setTimeout(end, limits.idleMs);
  const whole = setTimeout(end, limits.commandMs);
  return {
    moved: () => void idle.refresh(),
    stop() {
      clearTimeout(idle);
      clearTimeout(whole);
    },
  };
}

function clientName({ header }: ClientInfo): string {
  return `SSH ${header.versions.software}`.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 400);
}
