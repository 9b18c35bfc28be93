/**
 * How far one viewer has been given each of its streams. A cursor is *live* while the viewer has every durable byte:
 * then a new frame goes straight out. It falls *behind* when the socket's backlog is full or a frame does not adjoin:
 * then it is served from storage at the viewer's pace until it is live again. No byte is skipped.
 */
import type { WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import type { WebSocket } from "ws";
import type { RunStream } from "../../domains/pipelines/domain.ts";
import type { SocketDrain } from "./drain.ts";
import type { EncodedFrame, SharedStream, SharedStreams } from "./stream.ts";

/** Live frames are held back from this backlog on; storage is read only up to the lower one. */
export const backlogBytes = 1024 * 1024;
const storedBytes = 128 * 1024;

interface Cursor {
  stream: RunStream;
  shared: SharedStream;
  offset: number;
  live: boolean;
  /** The viewer missed something: read storage before going live. */
  dirty: boolean;
  eofSent: boolean;
  unfollow: () => void;
}

export interface CursorsDeps {
  socket: WebSocket;
  drain: SocketDrain;
  streams: SharedStreams;
  /** Whether the viewer can read compressed frames. */
  zstd: boolean;
  /** A cursor needs to be served. */
  onBehind(): void;
  /** A stream has ended. */
  onEnded(): void;
}

export interface Cursors {
  has(streamId: string): boolean;
  /** The stream's newest known state; announces the stream, from `offset` on, if it is new. */
  put(stream: RunStream, offset: number): void;
  /** Continues elsewhere in the stream, which is announced again. Does nothing without a cursor. */
  moveTo(streamId: string, offset: number): void;
  /** One turn for each cursor that is behind; false when all were live, or they were closed. */
  serve(): Promise<boolean>;
  /** Announces each stream that has ended and was sent completely; true if all were. */
  sendEnds(): boolean;
  close(): void;
}

export function createCursors(deps: CursorsDeps): Cursors {
  const { socket, drain } = deps;
  const cursors = new Map<string, Cursor>();
  let closed = false;

  const send = (message: WatchMessage) => socket.send(JSON.stringify(message), drain.sent);
  const sendFrame = (cursor: Cursor, frame: EncodedFrame) => {
    socket.send(deps.zstd ? frame.bytes : frame.plain(), drain.sent);
    cursor.offset = frame.end;
  };

  function announce(cursor: Cursor): void {
    const {
      id,
      next_offset: _o,
      next_line: _l,
      newest: _n,
      unnamed: _u,
      ended: _e,
      complete: _c,
      ...about
    } = cursor.stream;
    send({ t: "stream", channel: cursor.shared.channel, stream_id: id, ...about, offset: cursor.offset });
  }

  function markBehind(cursor: Cursor): void {
    cursor.live = false;
    cursor.dirty = true;
    deps.onBehind();
  }

  function add(stream: RunStream, offset: number): void {
    const shared = deps.streams.get(stream.id);
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
        ended: deps.onEnded,
      }),
    };
    cursors.set(stream.id, cursor);
    announce(cursor);
  }

  /** False when the cursors were closed meanwhile. */
  async function serveOne(cursor: Cursor): Promise<boolean> {
    await drain.below(storedBytes);
    if (closed) return false;
    cursor.dirty = false;
    const at = cursor.offset;
    const frames = await cursor.shared.read(at);
    if (closed) return false;
    // `moveTo` may have moved the cursor meanwhile.
    if (cursor.offset !== at) return true;
    for (const frame of frames) sendFrame(cursor, frame);
    if (frames.length === 0 && !cursor.dirty) cursor.live = true;
    return true;
  }

  return {
    has: (streamId) => cursors.has(streamId),
    put(stream, offset) {
      const cursor = cursors.get(stream.id);
      if (!cursor) return add(stream, offset);
      cursor.stream = stream;
      if (stream.next_offset <= cursor.offset) return;
      cursor.live = false;
      cursor.dirty = true;
    },
    moveTo(streamId, offset) {
      const cursor = cursors.get(streamId);
      if (!cursor) return;
      cursor.offset = offset;
      cursor.eofSent = false;
      announce(cursor);
      markBehind(cursor);
    },
    async serve() {
      let busy = false;
      for (const cursor of cursors.values()) {
        if (cursor.live) continue;
        busy = true;
        if (!(await serveOne(cursor))) return false;
      }
      return busy;
    },
    sendEnds() {
      for (const cursor of cursors.values()) {
        const { stream, shared } = cursor;
        if (cursor.eofSent || !cursor.live || !stream.ended || cursor.offset < stream.next_offset) continue;
        cursor.eofSent = true;
        const { next_offset: bytes, next_line: lines, complete } = stream;
        send({ t: "eof", channel: shared.channel, bytes, lines, complete });
      }
      return [...cursors.values()].every(({ eofSent }) => eofSent);
    },
    close() {
      closed = true;
      for (const cursor of cursors.values()) cursor.unfollow();
    },
  };
}
