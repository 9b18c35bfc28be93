/**
 * Starts programs by a small process beside ours. Whoever starts one is copied first, and stands still until the copy has
 * become the program: 5 to 15 ms for a server of some hundred megabytes, in which it answers nobody; 2 ms for the small one. The
 * program's handles are sockets between it and us, so that nothing passes the small process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { connectPieces } from "./pieces.ts";
import {
  abstractAddress,
  greeting,
  type StarterHello,
  type StartOrder,
  type StartReport,
} from "./start-order.ts";
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

/** The small process, and how to connect to it. */
interface Starter {
  child: ChildProcess;
  address: string;
  secret: string;
}

interface Begun {
  pid: Promise<number>;
  exited: Promise<number | null>;
  unref(): void;
}

const hasDied = () => new Error("the process that starts programs has ended");
let lastNumber = 0;

/** Resolves with the number under which the other side knows this connection. */
async function introduce({ secret }: Starter, socket: Socket): Promise<number> {
  const number = ++lastNumber;
  const written = Promise.withResolvers<number>();
  // Later on whoever uses it learns of its end from its other events.
  socket.on("error", written.reject);
  socket.write(greeting(secret, number), () => written.resolve(number));
  return written.promise;
}

const program = fileURLToPath(new URL("starter.ts", import.meta.url));

export function createProcessStarter(): ProcessStarter {
  const ordered = new Map<number, Ordered>();
  let starter: Promise<Starter> | undefined;
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
    if ("ready" in report) return;
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
      failed(hasDied());
      if (pid !== undefined) killGroup(pid);
      ended(null);
    }
    ordered.clear();
  }

  async function launch(): Promise<Starter> {
    const name = `forgeline-${process.pid}-${randomBytes(8).toString("hex")}`;
    const secret = randomBytes(16).toString("hex");
    const child = fork(program, {
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
    child.once("exit", abandon);
    // Where there is no such process, or no channel any more: what was ordered learns it from `send`.
    child.on("error", () => child.pid === undefined && (starter = undefined));
    child.send({ name, secret } satisfies StarterHello);
    await Promise.race([once(child, "message"), once(child, "exit").then(() => Promise.reject(hasDied()))]);
    child.on("message", (report: StartReport) => hear(child, report));
    child.unref();
    child.channel?.unref();
    return { child, address: abstractAddress(name), secret };
  }

  function order({ child }: Starter, given: Omit<StartOrder, "id">): Begun {
    const id = ++lastId;
    const begun = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<number | null>();
    ordered.set(id, { started: begun.resolve, failed: begun.reject, ended: ended.resolve });
    hold(child, id, true);
    child.send({ id, ...given }, (error) => error && hear(child, { id, failure: error.message }));
    return { pid: begun.promise, exited: ended.promise, unref: () => hold(child, id, false) };
  }

  async function start(request: ProcessStart): Promise<StartedProcess> {
    if (isClosed) throw new Error("no more programs are started");
    starter ??= launch();
    const { stdio, ...rest } = request;
    const [stdin, stdout, stderr] = stdio;
    const from = await starter;
    const pieces = stdout === "pieces" ? connectPieces(from.address) : null;
    const sockets = [stdin, stdout, stderr].map((kind) => (kind === "pipe" ? connect(from.address) : null));
    const [input, output, problems] = sockets;
    const connected = [input, pieces?.socket ?? output, problems];
    try {
      const numbers = await Promise.all(connected.map(async (each) => (each ? introduce(from, each) : null)));
      const { pid, ...begun } = order(from, { ...rest, handles: numbers });
      const handles = { stdin: input, stdout: output, stderr: problems, pieces };
      return describeProcess({ pid: await pid, handles, ...begun });
    } catch (error) {
      for (const socket of connected) socket?.destroy();
      throw error;
    }
  }

  return {
    start,
    close() {
      isClosed = true;
      starter?.then(({ child }) => child.connected && child.disconnect()).catch(() => undefined);
    },
  };
}
