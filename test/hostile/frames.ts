/** Floods that no honest runner or viewer sends: each kind gives its frames one after the other, the same for a seed. */
import { WebSocket } from "ws";
import { encodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { seededRandom } from "../support/seeded-random.ts";

export type HostileFrame = { text: string } | { binary: Buffer } | { ping: string } | { pong: string };

/** Frame number `n`, from 0. */
export type Flood = (n: number) => HostileFrame;

const seed = 74;
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

function inventedId(prefix: string, random: () => number): string {
  const tail = Array.from({ length: 26 }, () => letters[Math.floor(random() * letters.length)] ?? "0");
  return `${prefix}_${tail.join("")}`;
}

const signs: Record<string, Flood> = {
  ping: (n) => ({ ping: String(n) }),
  pong: (n) => ({ pong: String(n) }),
  "not JSON": (n) => ({ text: `{${n}` }),
  binary: (n) => ({ binary: Buffer.alloc(40, n) }),
};

/** What a viewer can say; `streamId` is one that it may name. */
export function viewerFloods(streamId: string): Record<string, Flood> {
  const random = seededRandom(seed);
  const resume = (...ids: string[]) => {
    const offsets = Object.fromEntries(ids.map((id) => [id, Math.floor(random() * 1_000)]));
    return { text: JSON.stringify({ t: "resume", offsets }) };
  };
  return {
    ...signs,
    "resume of an invented stream": () => resume(inventedId("log", random)),
    "resume of a hundred invented streams": () =>
      resume(...Array.from({ length: 100 }, () => inventedId("log", random))),
    "resume of a stream": () => resume(streamId),
    "resume of nothing": () => resume(),
  };
}

type Sayable = RunnerMessage extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;

export interface HeldLease {
  attemptId: string;
  epoch: number;
  /** Of one of its streams. */
  channel: number;
}

/** What a runner can say after `hello`, about leases that it does not have, or always the same about one. */
export function runnerFloods(held?: HeldLease): Record<string, Flood> {
  const random = seededRandom(seed + 6);
  const say = (message: () => Sayable): Flood => {
    return (n) => ({ text: JSON.stringify({ ...message(), id: n + 1_000 }) });
  };
  const lease = () => {
    const { attemptId, epoch } = held ?? { attemptId: inventedId("att", random), epoch: 1 };
    return { attemptId, epoch };
  };
  const totals = { bytes: 0, lines: 0, sha256: "0".repeat(64), droppedBytes: 0, droppedLines: 0 };
  const step = { position: 0, status: "success" as const, reason: null, message: null, exitCode: 0 };
  const result = { status: "success" as const, reason: null, message: null, exitCode: 0 };
  const beat = { t: "heartbeat" as const, load: 0, freeDiskBytes: 0, freeSlots: 0 };
  const ofLease: Record<string, Flood> = {
    offer_answer: say(() => ({ t: "offer_answer", ...lease(), accept: true, reject: null })),
    started: say(() => ({ t: "started", ...lease(), timeMs: 0 })),
    step_started: say(() => ({ t: "step_started", ...lease(), position: 0, name: "s", timeMs: 0 })),
    step_ended: say(() => ({
      t: "step_ended",
      ...lease(),
      step: { ...step, startedAtMs: 0, finishedAtMs: 0 },
    })),
    log_eof: say(() => ({ t: "log_eof", ...lease(), streamId: inventedId("log", random), ...totals })),
  };
  if (held) return { ...ofLease, "log frames": () => ({ binary: sameFrame(held.channel) }) };
  return {
    ...signs,
    ...ofLease,
    done: say(() => ({
      t: "done",
      ...lease(),
      result: { ...result, outputs: {}, steps: [], warnings: [] },
    })),
    revoked: say(() => ({ t: "revoked", ...lease() })),
    heartbeat: say(() => ({ ...beat, leases: [] })),
    "heartbeat for a hundred leases": say(() => ({
      ...beat,
      leases: Array.from({ length: 100 }, () => lease()),
    })),
    drain: say(() => ({ t: "drain", draining: false })),
    ack: say(() => ({ t: "ack" })),
    nack: say(() => ({ t: "nack", code: "internal", message: "no" })),
    hello: () => ({ text: JSON.stringify({ t: "hello", id: 1 }) }),
  };
}

/** A line that was stored when it came first. */
function sameFrame(channel: number): Buffer {
  const payload = Buffer.from("flood\n");
  const place = { channel, offset: 0, firstLine: 0, rawLength: payload.length };
  const times = [{ lines: 1, timeMs: 0 }];
  return Buffer.from(encodeLogFrame({ ...place, compressed: false, timeRuns: times, payload }));
}

export interface FloodEnd {
  code: number;
  reason: string;
  /** Frames handed to the socket before it was known to be closed. */
  sent: number;
}

/** Sends `count` frames as fast as they go, or until the other side closes; then waits for that. */
export async function pour(socket: WebSocket, flood: Flood, count: number): Promise<FloodEnd> {
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  let sent = 0;
  while (sent < count && socket.readyState === WebSocket.OPEN) {
    for (let n = 0; n < 200 && sent < count; n++) sendFrame(socket, flood(sent++));
    await drained(socket);
  }
  return { ...(await closed), sent };
}

function sendFrame(socket: WebSocket, frame: HostileFrame): void {
  const ignore = () => undefined;
  if ("text" in frame) socket.send(frame.text, ignore);
  else if ("binary" in frame) socket.send(frame.binary, ignore);
  else if ("ping" in frame) socket.ping(frame.ping, undefined, ignore);
  else socket.pong(frame.pong, undefined, ignore);
}

/** What was sent is with the network, or the connection is over. */
async function drained(socket: WebSocket): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount > 1024 * 1024);
}
