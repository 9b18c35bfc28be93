/** One SSH connection after its handshake: login, then commands, and when it ends. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { ClientInfo, Connection, ServerChannel, Session } from "ssh2";
import type { KeyHolders } from "../../features/ssh-keys/holders.ts";
import type { Locate } from "../../platform/geo.ts";
import type { Logger } from "../../platform/logger.ts";
import { createCommandChannel } from "./command-channel.ts";
import { readProtocol, type GitProtocol } from "./exchange.ts";
import { createFlow } from "./flow.ts";
import type { SshLimits } from "./limits.ts";
import { acceptLogin, type Login } from "./login.ts";
import type { RunCommand } from "./run-command.ts";

export interface ConnectionDeps {
  run: RunCommand;
  keyHolders: KeyHolders;
  limits: SshLimits;
  locate: Locate;
  logger: Logger;
}

export interface SshConnection {
  login: Login;
  /** No further command; ends when those under way have ended. */
  drain(): void;
}

export interface NewConnection {
  client: Connection;
  socket: Socket;
  ipAddress: string;
  info: ClientInfo;
  onLogin(): void;
}

export function serveConnection(deps: ConnectionDeps, given: NewConnection): SshConnection {
  const { client, socket } = given;
  const { limits } = deps;
  const login = acceptLogin({
    client,
    keyHolders: deps.keyHolders,
    logger: deps.logger,
    mostKeys: limits.mostKeys,
  });
  const flow = createFlow(client, socket);
  let commands = 0;
  let draining = false;
  let unused: NodeJS.Timeout | undefined;

  /** Looks again when the last command has ended. */
  function endWhenUnused(): void {
    clearTimeout(unused);
    if (commands > 0) return;
    if (draining) client.end();
    else unused = setTimeout(() => client.end(), limits.unusedMs);
  }

  async function command(channel: ServerChannel, gone: AbortSignal, asked: Asked): Promise<void> {
    const watch = watchTime(limits, () => socket.destroy());
    const { ipAddress } = given;
    const request = {
      id: randomUUID(),
      ipAddress,
      userAgent: clientName(given.info),
      geo: deps.locate(ipAddress),
    };
    try {
      await deps.run({
        fingerprint: login.fingerprint() ?? "",
        ...asked,
        channel: createCommandChannel({ channel, flow, moved: watch.moved }, gone),
        request,
      });
    } finally {
      watch.stop();
    }
  }

  client.on("error", (error) => deps.logger.debug({ error: error.message }, "an SSH connection failed"));
  client.on("close", () => clearTimeout(unused));
  client.on("ready", () => {
    given.onLogin();
    endWhenUnused();
  });
  client.on("session", (accept, reject) => {
    if (commands >= limits.mostCommands || draining) return reject();
    commands += 1;
    clearTimeout(unused);
    const ended = () => {
      commands -= 1;
      endWhenUnused();
    };
    serveSession(accept(), client, ended, command);
  });
  return {
    login,
    drain() {
      draining = true;
      endWhenUnused();
    },
  };
}

interface Asked {
  command: string | undefined;
  protocol: GitProtocol | undefined;
}

/** One command and one variable of its environment; the library refuses whatever nobody listens for. */
function serveSession(
  session: Session,
  client: Connection,
  ended: () => void,
  run: (channel: ServerChannel, gone: AbortSignal, asked: Asked) => Promise<void>,
): void {
  const gone = new AbortController();
  let protocol: GitProtocol | undefined;
  let running: Promise<void> | undefined;
  const over = () => {
    client.off("close", over);
    session.off("close", over);
    gone.abort(new Error("the client is gone"));
    void (running ?? Promise.resolve()).finally(ended);
  };
  client.on("close", over);
  session.on("close", over);
  session.on("env", (accept, reject, { key, val }) => {
    const read = readProtocol(key, val);
    if (!read) return reject?.();
    protocol = read;
    accept?.();
  });
  const start = (accept: () => ServerChannel, command: string | undefined) => {
    running = run(accept(), gone.signal, { command, protocol });
  };
  session.once("exec", (accept, _reject, { command }) => start(accept, command));
  session.once("shell", (accept) => start(accept, undefined));
}

/** Ends what does not move, and what takes too long. */
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
