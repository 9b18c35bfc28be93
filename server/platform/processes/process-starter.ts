/**
 * Starts programs by a small process beside ours. Whoever starts one is copied first, and stands still until the copy has
 * become the program: 5 to 15 ms for a server of some hundred megabytes, in which it answers nobody; 2 ms for the small one. The
 * program's handles are sockets between it and us, so that nothing passes the small process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { abstractAddress, keyLength, type StartOrder, type StartReport } from "./start-order.ts";
import { describeProcess, killGroup, type ProcessStart, type StartedProcess } from "./started-process.ts";

export interface ProcessStarter {
  /** Rejects when the program cannot be started, or the small process dies meanwhile. */
  start(start: ProcessStart): Promise<StartedProcess>;
  /** Ends what still runs; nothing starts any more. */
  close(): void;
}

/** One that was ordered, until it has ended. */
interface Ordered {
  pid?: number;
  started(pid: number): void;
  failed(error: Error): void;
  ended(exitCode: number | null): void;
}

const program = fileURLToPath(new URL("starter.ts", import.meta.url));

export function createProcessStarter(): ProcessStarter {
  const ordered = new Map<number, Ordered>();
  const doorman = createDoorman();
  let starter: Promise<ChildProcess> | undefined;
  let lastId = 0;
  let isClosed = false;
  /** Those that keep our process from ending. */
  const held = new Set<number>();

  function hold(child: ChildProcess, id: number, isHeld: boolean): void {
    if (isHeld) held.add(id);
    else held.delete(id);
    if (held.size > 0) child.channel?.ref();
    else child.channel?.unref();
  }

  function hear(child: ChildProcess, report: StartReport): void {
    const entry = ordered.get(report.id);
    if (!entry) return;
    if ("pid" in report) {
      entry.pid = report.pid;
      entry.started(report.pid);
      return;
    }
    ordered.delete(report.id);
    hold(child, report.id, false);
    if ("failure" in report) entry.failed(new Error(report.failure));
    else entry.ended(report.exitCode);
  }

  /** Nobody would tell us how they end. */
  function abandon(): void {
    starter = undefined;
    held.clear();
    for (const { pid, failed, ended } of ordered.values()) {
      failed(new Error("the process that starts programs has ended"));
      if (pid !== undefined) killGroup(pid);
      ended(null);
    }
    ordered.clear();
  }

  async function launch(): Promise<ChildProcess> {
    const child = fork(program, [await doorman.name()], {
      // As small as can be.
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        "--max-old-space-size=64",
        "--max-semi-space-size=1",
      ],
      env: {},
      // A Ctrl-C in our terminal is for us.
      detached: true,
    });
    child.on("message", (report: StartReport) => hear(child, report));
    child.once("exit", abandon);
    // Where there is no such process, or no channel any more: what was ordered learns it from `send`.
    child.on("error", () => child.pid === undefined && (starter = undefined));
    child.unref();
    child.channel?.unref();
    return child;
  }

  async function start(request: ProcessStart): Promise<StartedProcess> {
    if (isClosed) throw new Error("no more programs are started");
    starter ??= launch();
    const child = await starter;
    const id = ++lastId;
    const { stdio, ...rest } = request;
    const handles = stdio.map((kind) => (kind === "pipe" ? doorman.expect() : null));
    const order: StartOrder = { id, ...rest, keys: handles.map((handle) => handle?.key ?? null) };
    const begun = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<number | null>();
    ordered.set(id, { started: begun.resolve, failed: begun.reject, ended: ended.resolve });
    hold(child, id, true);
    child.send(order, (error) => error && hear(child, { id, failure: error.message }));
    try {
      const [pid, ...sockets] = await Promise.all([begun.promise, ...handles.map((handle) => handle?.came)]);
      const [stdin, stdout, stderr] = sockets;
      return describeProcess({
        pid,
        handles: { stdin, stdout, stderr },
        exited: ended.promise,
        unref: () => hold(child, id, false),
      });
    } catch (error) {
      for (const handle of handles) handle?.forget();
      throw error;
    }
  }

  return {
    start,
    close() {
      isClosed = true;
      doorman.close();
      starter?.then((child) => child.connected && child.disconnect()).catch(() => undefined);
    },
  };
}

interface ExpectedSocket {
  key: string;
  came: Promise<Socket>;
  /** It will not come, or is of no use. */
  forget(): void;
}

/** Takes the connections that become handles, each told by the secret with which it begins. */
function createDoorman() {
  const expected = new Map<string, (socket: Socket) => void>();
  let server: Server | undefined;
  let name: Promise<string> | undefined;

  function welcome(socket: Socket): void {
    // Until somebody else listens; a connection that fails before is none.
    const ignore = () => undefined;
    socket.on("error", ignore);
    socket.on("readable", function look() {
      const key = socket.read(keyLength) as Buffer | null;
      if (!key) return;
      socket.off("readable", look);
      const take = expected.get(key.toString("latin1"));
      if (!take) return void socket.destroy();
      take(socket);
    });
  }

  async function listen(): Promise<string> {
    const chosen = `forgeline-${process.pid}-${randomBytes(8).toString("hex")}`;
    server = createServer(welcome).listen(abstractAddress(chosen));
    await once(server, "listening");
    server.unref();
    return chosen;
  }

  return {
    name: () => (name ??= listen()),
    expect(): ExpectedSocket {
      const key = randomBytes(keyLength / 2).toString("hex");
      const { promise, resolve } = Promise.withResolvers<Socket>();
      expected.set(key, (socket) => {
        expected.delete(key);
        resolve(socket);
      });
      const forget = () => {
        if (expected.delete(key)) return;
        void promise.then((socket) => socket.destroy());
      };
      return { key, came: promise, forget };
    },
    close: () => void server?.close(),
  };
}
