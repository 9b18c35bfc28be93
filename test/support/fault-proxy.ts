/**
 * A TCP proxy that cuts, stalls, slows and limits what passes, for tests of what crosses a network (after appendix A
 * of our reliability notes). Every byte passes in order, so a fault lands in the middle of frames.
 */
import { createServer, connect, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type FaultMode =
  | { name: "pass" }
  /** Connections live and are accepted, bytes stop; `only` one way, seen from the client. */
  | { name: "hang"; only?: "up" | "down" }
  /** Connections are refused and existing ones reset. */
  | { name: "down" }
  | { name: "delay"; ms: number }
  | { name: "rate"; bytesPerSecond: number }
  /** Each connection is cut after this many bytes in one direction. */
  | { name: "limit"; bytes: number };

export interface FaultProxy {
  port: number;
  set(mode: FaultMode): void;
  /** As a load balancer does with one that is not ready: no new connection goes to that port. */
  leaveOut(port: number | null): void;
  /** Resets all connections that are open now. Returns how many. */
  cut(): number;
  /** A test whose fault did not bite is void: look here. */
  counts(): { accepted: number; cut: number; bytesUp: number; bytesDown: number; open: number };
  close(): Promise<void>;
}

interface Upstream {
  host: string;
  port: number;
}

/** Of several upstreams each connection goes to the next one in turn that takes it, as with a load balancer. */
export async function startFaultProxy(...upstreams: [Upstream, ...Upstream[]]): Promise<FaultProxy> {
  let mode: FaultMode = { name: "pass" };
  const sockets = new Set<Socket>();
  let turn = 0;
  let left: number | null = null;
  const counts = { accepted: 0, cut: 0, bytesUp: 0, bytesDown: 0 };

  const cut = () => {
    const open = sockets.size;
    for (const socket of sockets) socket.resetAndDestroy();
    counts.cut += open;
    return open;
  };

  async function pass(from: Socket, to: Socket, direction: "bytesUp" | "bytesDown"): Promise<void> {
    let seen = 0;
    try {
      // Without `destroyOnReturn: false` a half-closed socket would die with its readable side.
      for await (const data of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        while (hangs(mode, direction)) {
          if (to.destroyed) throw new Error("closed while nothing passed");
          await sleep(10);
        }
        if (mode.name === "delay") await sleep(mode.ms);
        const slow = mode;
        // In small parts, so that an end of the slowness is felt at once.
        for (let left = data.length; slow.name === "rate" && mode === slow && left > 0;) {
          await sleep(50);
          left -= slow.bytesPerSecond / 20;
        }
        seen += data.length;
        counts[direction] += data.length;
        if (mode.name === "limit" && seen > mode.bytes) {
          to.write(data.subarray(0, Math.max(0, data.length - (seen - mode.bytes))));
          throw new Error("limit reached");
        }
        if (!to.write(data)) await drained(to);
      }
      to.end();
    } catch {
      counts.cut++;
      from.resetAndDestroy();
      to.resetAndDestroy();
    }
  }

  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    counts.accepted++;
    client.on("error", () => undefined);
    if (mode.name === "down") return void client.resetAndDestroy();
    const ready = upstreams.filter(({ port }) => port !== left);
    void connectAny(ready, turn++).then((target) => {
      if (!target) return client.resetAndDestroy();
      for (const socket of [client, target]) {
        sockets.add(socket);
        socket.setNoDelay();
        socket.on("error", () => undefined);
        socket.on("close", () => sockets.delete(socket));
      }
      void pass(client, target, "bytesUp");
      void pass(target, client, "bytesDown");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address && typeof address === "object" ? address.port : 0,
    set(next) {
      mode = next;
      if (next.name === "down") cut();
    },
    leaveOut(port) {
      left = port;
    },
    cut,
    counts: () => ({ ...counts, open: sockets.size }),
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function hangs(mode: FaultMode, direction: "bytesUp" | "bytesDown"): boolean {
  if (mode.name !== "hang") return false;
  return mode.only === undefined || mode.only === (direction === "bytesUp" ? "up" : "down");
}

/** Undefined when no upstream takes the connection. */
async function connectAny(upstreams: readonly Upstream[], turn: number): Promise<Socket | undefined> {
  for (let i = 0; i < upstreams.length; i++) {
    const upstream = upstreams[(turn + i) % upstreams.length];
    if (!upstream) continue;
    const socket = connect({ ...upstream, allowHalfOpen: true });
    const connected = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    if (connected) return socket;
  }
  return undefined;
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}
