/**
 * One viewer on one socket: the statuses of its run, the streams that it chose, each by a cursor, and the end of it all.
 * It may continue a stream elsewhere.
 */
import { maxResumedStreams, type WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import { chosen, type StreamFilter } from "../../domains/pipelines/domain.ts";
import { backlogBytes, createCursors } from "./cursors.ts";
import { createDrain } from "./drain.ts";
import type { WatchedRun } from "./run.ts";
import type { SharedStreams } from "./stream.ts";

const retryMs = 1000;

export interface ViewerOptions {
  socket: WebSocket;
  run: WatchedRun;
  streams: SharedStreams;
  filter: StreamFilter;
  /** Where to start when exactly one stream is chosen. */
  from: number;
  /** Stream id → offset to continue at. */
  resume: Readonly<Record<string, number>>;
  /** Whether it can read compressed frames. */
  zstd: boolean;
  /** Closes the connection of a viewer that requests something that does not exist, or more than it reads. */
  refuse(code: number, reason: string): void;
}

export interface Viewer {
  /** Continues streams elsewhere, also ones that were announced already. */
  resume(offsets: Readonly<Record<string, number>>): void;
  close(): void;
}

export function createViewer(options: ViewerOptions): Viewer {
  const { socket, run } = options;
  const resumeAt = new Map<string, number>();
  const drain = createDrain(socket);
  const cursors = createCursors({ ...options, drain, onBehind: wake, onEnded: () => run.refresh() });
  let statusesSeen = run.position();
  let pumping = false;
  let wakeAgain = false;
  let closed = false;

  const send = (message: WatchMessage) => socket.send(JSON.stringify(message), drain.sent);

  function takeStreams(): void {
    const wanted = run.streams().filter((stream) => cursors.has(stream.id) || chosen(stream, options.filter));
    const from = wanted.length === 1 ? options.from : 0;
    for (const stream of wanted) {
      // Announced once, so with the name that it keeps; a step that never starts keeps the one that it has.
      const isNamed = !stream.unnamed || stream.ended || cursors.has(stream.id);
      if (isNamed) cursors.put(stream, resumeAt.get(stream.id) ?? from);
    }
  }

  function sendStatuses(): void {
    const fresh = run.changes(statusesSeen);
    statusesSeen += fresh.length;
    for (const message of fresh) socket.send(message, drain.sent);
  }

  function sendEnds(): void {
    const areAllEnded = cursors.sendEnds();
    const outcome = run.outcome();
    if (!outcome || statusesSeen < run.position() || !areAllEnded) return;
    send({ t: "end", ...outcome });
    socket.close(1000, "the run has ended");
    close();
  }

  async function pump(): Promise<void> {
    do {
      wakeAgain = false;
      await drain.below(backlogBytes);
      if (closed) return;
      takeStreams();
      sendStatuses();
      while (await cursors.serve()) sendStatuses();
      if (!closed && !wakeAgain) sendEnds();
    } while (wakeAgain && !closed);
  }

  function wake(): void {
    wakeAgain = true;
    if (pumping || closed) return;
    pumping = true;
    pump()
      .catch(() => void setTimeout(wake, retryMs).unref())
      .finally(() => {
        pumping = false;
        if (wakeAgain) wake();
      });
  }

  function close(): void {
    if (closed) return;
    closed = true;
    unfollow();
    cursors.close();
    drain.release();
  }

  /** Remembers only streams of this run; another server may announce one that is not known here yet. */
  function resume(offsets: Readonly<Record<string, number>>): void {
    if (socket.bufferedAmount >= backlogBytes)
      return options.refuse(closeCodes.slow_down, "read what was sent before requesting more");
    const known = new Set(run.streams().map(({ id }) => id));
    const strangers = new Map(Object.entries(offsets).filter(([id]) => !known.has(id)));
    if (resumeAt.size + strangers.size > Math.max(known.size, maxResumedStreams))
      return options.refuse(closeCodes.bad_frame, "more log streams were requested than this run has");
    for (const [id, offset] of Object.entries(offsets)) {
      resumeAt.set(id, offset);
      cursors.moveTo(id, offset);
    }
    if (strangers.size > 0) void run.readAgain().then(() => refuseStrangers(strangers.keys()));
  }

  function refuseStrangers(ids: Iterable<string>): void {
    if (closed) return;
    const known = new Set(run.streams().map(({ id }) => id));
    for (const id of ids)
      if (!known.has(id))
        return options.refuse(closeCodes.bad_frame, "this run does not have this log stream");
  }

  resume(options.resume);
  const unfollow = run.follow(wake);
  for (const message of run.snapshot()) socket.send(message, drain.sent);
  wake();
  return { resume, close };
}
