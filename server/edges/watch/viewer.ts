/**
 * One viewer on one socket. Each stream has a cursor. A cursor is *live* while the viewer has every durable byte:
 * then a new frame goes straight out. It falls *behind* when the socket's backlog is full or a frame does not
 * adjoin: then the pump reads from storage at the viewer's pace until it is live again. No byte is skipped.
 */
import { maxResumedStreams, type WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import { chosen, type RunStream, type StreamFilter } from "../../domains/pipelines/domain.ts";
import type { WatchedRun } from "./run.ts";
import type { EncodedFrame, SharedStream, SharedStreams } from "./stream.ts";

/** Live frames are held back from this backlog on; the pump fills only up to the lower one. */
const backlogBytes = 1024 * 1024;
const pumpBytes = 128 * 1024;
const retryMs = 1000;

interface Cursor {
  stream: RunStream;
  shared: SharedStream;
  offset: number;
  live: boolean;
  /** Something came that the viewer was not given: look into storage before going live. */
  dirty: boolean;
  eofSent: boolean;
  unfollow: () => void;
}

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
  /** Ends the connection of a viewer that asks for what there is not, or for more than it reads. */
  refuse(code: number, reason: string): void;
}

export interface Viewer {
  /** Continues streams elsewhere, also ones that were announced already. */
  resume(offsets: Readonly<Record<string, number>>): void;
  close(): void;
}

export function createViewer(options: ViewerOptions): Viewer {
  const { socket, run } = options;
  const cursors = new Map<string, Cursor>();
  const resumeAt = new Map<string, number>();
  const drain = createDrain(socket);
  let statusesSeen = run.position();
  let pumping = false;
  let wakeAgain = false;
  let closed = false;

  const send = (message: WatchMessage) => socket.send(JSON.stringify(message), drain.sent);
  const sendFrame = (cursor: Cursor, frame: EncodedFrame) => {
    socket.send(options.zstd ? frame.bytes : frame.plain(), drain.sent);
    cursor.offset = frame.end;
  };

  function announce(cursor: Cursor): void {
    const {
      id,
      next_offset: _o,
      next_line: _l,
      newest: _n,
      ended: _e,
      complete: _c,
      ...about
    } = cursor.stream;
    send({ t: "stream", channel: cursor.shared.channel, stream_id: id, ...about, offset: cursor.offset });
  }

  function addCursor(stream: RunStream, offset: number): void {
    const shared = options.streams.get(stream.id);
    const cursor: Cursor = {
      stream,
      shared,
      offset,
      live: false,
      dirty: true,
      eofSent: false,
      unfollow: shared.follow({
        frame(frame) {
          if (cursor.live && frame.start === cursor.offset && socket.bufferedAmount < backlogBytes)
            return sendFrame(cursor, frame);
          if (frame.end > cursor.offset) markBehind(cursor);
        },
        more: () => markBehind(cursor),
        ended: () => run.refresh(),
      }),
    };
    cursors.set(stream.id, cursor);
    announce(cursor);
  }

  function markBehind(cursor: Cursor): void {
    cursor.live = false;
    cursor.dirty = true;
    wake();
  }

  function takeStreams(): void {
    const wanted = run.streams().filter((stream) => cursors.has(stream.id) || chosen(stream, options.filter));
    for (const stream of wanted) {
      const cursor = cursors.get(stream.id);
      if (!cursor) addCursor(stream, resumeAt.get(stream.id) ?? (wanted.length === 1 ? options.from : 0));
      else {
        cursor.stream = stream;
        if (stream.next_offset > cursor.offset) {
          cursor.live = false;
          cursor.dirty = true;
        }
      }
    }
  }

  function sendStatuses(): void {
    const fresh = run.changes(statusesSeen);
    statusesSeen += fresh.length;
    for (const message of fresh) socket.send(message, drain.sent);
  }

  /** One turn for each cursor that is behind; false when all were live. */
  async function serveCursors(): Promise<boolean> {
    let busy = false;
    for (const cursor of cursors.values()) {
      if (cursor.live) continue;
      busy = true;
      await drain.below(pumpBytes);
      if (closed) return false;
      cursor.dirty = false;
      const at = cursor.offset;
      const frames = await cursor.shared.read(at);
      if (closed) return false;
      // `resume` may have moved the cursor meanwhile.
      if (cursor.offset !== at) continue;
      for (const frame of frames) sendFrame(cursor, frame);
      if (frames.length === 0 && !cursor.dirty) cursor.live = true;
    }
    return busy;
  }

  function sendEnds(): void {
    for (const cursor of cursors.values()) {
      const { stream } = cursor;
      if (cursor.eofSent || !cursor.live || !stream.ended || cursor.offset < stream.next_offset) continue;
      cursor.eofSent = true;
      send({
        t: "eof",
        channel: cursor.shared.channel,
        bytes: stream.next_offset,
        lines: stream.next_line,
        complete: stream.complete,
      });
    }
    const outcome = run.outcome();
    if (!outcome || statusesSeen < run.position() || [...cursors.values()].some((c) => !c.eofSent)) return;
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
      while (await serveCursors()) sendStatuses();
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
    for (const cursor of cursors.values()) cursor.unfollow();
    drain.release();
  }

  /** Only streams of this run are kept in mind; of one that is not known yet, another server may have news. */
  function resume(offsets: Readonly<Record<string, number>>): void {
    if (socket.bufferedAmount >= backlogBytes)
      return options.refuse(closeCodes.slow_down, "read what was sent before requesting more");
    const known = new Set(run.streams().map(({ id }) => id));
    const strangers = new Map(Object.entries(offsets).filter(([id]) => !known.has(id)));
    if (resumeAt.size + strangers.size > Math.max(known.size, maxResumedStreams))
      return options.refuse(closeCodes.bad_frame, "more log streams were requested than this run has");
    for (const [id, offset] of Object.entries(offsets)) {
      resumeAt.set(id, offset);
      const cursor = cursors.get(id);
      if (cursor) moveTo(cursor, offset);
    }
    if (strangers.size > 0) void run.readAgain().then(() => refuseStrangers(strangers.keys()));
  }

  function moveTo(cursor: Cursor, offset: number): void {
    cursor.offset = offset;
    cursor.eofSent = false;
    announce(cursor);
    markBehind(cursor);
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

/** Waits for the socket's backlog to shrink, by what it has sent rather than by a timer. */
function createDrain(socket: WebSocket) {
  let waiter: PromiseWithResolvers<void> | undefined;
  const release = () => {
    waiter?.resolve();
    waiter = undefined;
  };
  return {
    sent: release,
    release,
    async below(bytes: number): Promise<void> {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount >= bytes) {
        waiter ??= Promise.withResolvers<void>();
        await waiter.promise;
      }
    },
  };
}
