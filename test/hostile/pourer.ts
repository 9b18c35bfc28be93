/** A process of its own that pours one kind of message into a server, over new connections as often as it is let in. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import { pour, runnerFloods, viewerFloods, type Flood, type HeldLease } from "./frames.ts";

export interface Task {
  socket: "viewer" | "runner";
  kind: string;
  /** null: the messages are made and sent nowhere. */
  url: string | null;
  ca: string;
  headers: Record<string, string>;
  /** One that a viewer may name. */
  streamId: string;
  /** What the runner has, and by which start of it. */
  held: (HeldLease & { instanceId: string }) | null;
  messages: number;
  milliseconds: number;
}

export interface Poured {
  sent: number;
  /** Close codes of connections, or HTTP statuses where none came about; how often each. */
  ends: Record<string, number>;
}

/** Who is not let in tries again so soon, whatever it was told. */
const impatienceMs = 20;
/** How long a server has to answer that it is enough. */
const goodbyeMs = 5_000;

export function startPourer(task: Task): Promise<Poured> {
  const child = fork(import.meta.filename, { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("message", (poured) => resolve(poured as Poured));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the pouring process ended with ${code}`)));
    child.send(task);
  });
}

async function work(task: Task): Promise<Poured> {
  const floods =
    task.socket === "viewer" ? viewerFloods(task.streamId) : runnerFloods(task.held ?? undefined);
  const flood = floods[task.kind];
  if (!flood) throw new Error(`no flood is called ${task.kind}`);
  const until = performance.now() + task.milliseconds;
  const poured: Poured = { sent: 0, ends: {} };
  while (poured.sent < task.messages && performance.now() < until) {
    if (task.url === null) {
      await makeFor(flood, impatienceMs);
      continue;
    }
    const { end, sent } = await pourOnce(task, task.url, flood, task.messages - poured.sent);
    poured.sent += sent;
    poured.ends[end] = (poured.ends[end] ?? 0) + 1;
    if (sent === 0) await makeFor(flood, impatienceMs);
  }
  return poured;
}

async function makeFor(flood: Flood, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  for (let n = 0; performance.now() < until; n++) flood(n);
  await new Promise((resolve) => setImmediate(resolve));
}

async function pourOnce(task: Task, url: string, flood: Flood, count: number) {
  const protocol = task.socket === "viewer" ? logWatchProtocol : runnerSubprotocol;
  const { ca, headers } = task;
  const socket = new WebSocket(url, [protocol], { ca, headers, perMessageDeflate: false });
  socket.on("error", () => undefined);
  const opened = Promise.withResolvers<number | null>();
  socket.once("open", () => opened.resolve(null));
  socket.once("unexpected-response", (request, { statusCode = 0 }) => {
    request.destroy();
    opened.resolve(statusCode);
  });
  socket.once("close", () => opened.resolve(1006));
  const refused = await opened.promise;
  if (refused !== null) return { end: String(refused), sent: 0 };
  if (task.socket === "runner") await greet(socket, task.held);
  // Whoever is not closed by the server, for example because it is read slowly, ends when its time is up.
  const enough = setTimeout(() => socket.close(1000, "enough"), task.milliseconds);
  let isGivenUp = false;
  const giveUp = setTimeout(() => {
    isGivenUp = true;
    socket.terminate();
  }, task.milliseconds + goodbyeMs);
  const { code, sent } = await pour(socket, flood, count);
  clearTimeout(enough);
  clearTimeout(giveUp);
  return { end: isGivenUp ? "given up" : String(code), sent };
}

/** Until the server has said `welcome`, or has closed. */
async function greet(socket: WebSocket, held: Task["held"]): Promise<void> {
  const machine = { os: "linux", arch: "x64", hostname: "hostile", version: "0", clockMs: 0 };
  const leases = held
    ? [{ attemptId: held.attemptId, epoch: held.epoch, state: "running", streams: {} }]
    : [];
  const lists = { protocols: [1], labels: [], images: [], leases };
  const instanceId = held?.instanceId ?? ownInstanceId;
  const hello = { t: "hello", id: 1, instanceId, capacity: 1, draining: false, ...machine, ...lists };
  socket.send(JSON.stringify(hello));
  await new Promise<void>((resolve) => {
    socket.once("message", () => resolve());
    socket.once("close", () => resolve());
  });
}

const ownInstanceId = randomUUID();

// Only where this file is the program.
if (import.meta.main)
  process.once(
    "message",
    (task) =>
      void work(task as Task).then((poured) =>
        process.send?.(poured, undefined, undefined, () => process.exit(0)),
      ),
  );
