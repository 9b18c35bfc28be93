/**
 * One watched stream, shared by all its viewers in this process: frames are encoded once, the newest stay at hand
 * for viewers that are a little behind, and viewers that read the same stored place share one read.
 */
import { encodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { rawBytes, type LogService } from "../../domains/pipelines/domain.ts";
import { createFrameBatch } from "./batch.ts";

export interface EncodedFrame {
  start: number;
  end: number;
  bytes: Buffer;
  /** The same without compression; inflated once for all who need it. */
  plain(): Buffer;
}

export interface StreamFollower {
  /** This frame is durable. */
  frame(frame: EncodedFrame): void;
  /** There may be more to read than was announced. */
  more(): void;
  ended(): void;
}

export interface SharedStream {
  channel: number;
  follow(follower: StreamFollower): () => void;
  /** Adjoining frames from `offset` on, exactly; [] when nothing is there yet. */
  read(offset: number): Promise<readonly EncodedFrame[]>;
}

const recentBytes = 256 * 1024;
const readBytes = 128 * 1024;
const sharedReads = 8;

/** At most `limit` of the given reads run at once; the others wait their turn. */
export function createReadLimit(limit: number): <T>(read: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (read) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export interface SharedStreams {
  get(streamId: string): SharedStream;
}

export function createSharedStreams(logs: LogService): SharedStreams {
  const streams = new Map<string, SharedStream>();
  const limited = createReadLimit(8);
  let nextChannel = 1;
  return {
    get(streamId) {
      let stream = streams.get(streamId);
      if (!stream) {
        const channel = nextChannel;
        nextChannel = (nextChannel % 0xffff_fffe) + 1;
        stream = createSharedStream({
          logs,
          streamId,
          channel,
          limited,
          unused: () => void streams.delete(streamId),
        });
        streams.set(streamId, stream);
      }
      return stream;
    },
  };
}

interface SharedStreamOptions {
  logs: LogService;
  streamId: string;
  channel: number;
  limited: <T>(read: () => Promise<T>) => Promise<T>;
  unused: () => void;
}

function createSharedStream({ logs, streamId, channel, limited, unused }: SharedStreamOptions): SharedStream {
  const followers = new Set<StreamFollower>();
  const recent = createRecentFrames();
  const reads = new Map<number, Promise<readonly EncodedFrame[]>>();
  const encode = (frame: LogFrame) => encodeFrame({ ...frame, channel });
  const readStored = async (offset: number) =>
    (await limited(() => logs.reader.frames(streamId, offset, readBytes))).map(encode);

  async function read(offset: number): Promise<readonly EncodedFrame[]> {
    const held = recent.from(offset);
    if (held) return held;
    const shared = reads.get(offset);
    // A read that began earlier may have found nothing where there is something now.
    if (shared) {
      const frames = await shared;
      if (frames.length > 0) return frames;
    }
    const own = readStored(offset);
    reads.set(offset, own);
    const oldest = reads.keys().next().value;
    if (reads.size > sharedReads && oldest !== undefined) reads.delete(oldest);
    const forget = () => {
      if (reads.get(offset) === own) reads.delete(offset);
    };
    return own.then(
      (frames) => {
        if (frames.length === 0) forget();
        return frames;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
  }

  const batch = createFrameBatch(
    () => followers.size,
    (frame) => {
      const encoded = encode(frame);
      recent.add(encoded);
      for (const follower of followers) follower.frame(encoded);
    },
  );
  let stop: (() => void) | undefined;
  let publishedEnd = 0;
  const start = () =>
    logs.feed.subscribe(streamId, {
      frames(frames) {
        const last = frames.at(-1);
        if (last) publishedEnd = last.offset + last.rawLength;
        batch.add(frames);
      },
      hint(end) {
        // This process's own notifications come back to it.
        if (end <= publishedEnd) return;
        for (const follower of followers) follower.more();
      },
      ended() {
        batch.flush();
        for (const follower of followers) follower.ended();
      },
    });

  return {
    channel,
    read,
    follow(follower) {
      followers.add(follower);
      stop ??= start();
      return () => {
        if (!followers.delete(follower) || followers.size > 0) return;
        stop?.();
        stop = undefined;
        batch.clear();
        recent.clear();
        reads.clear();
        unused();
      };
    },
  };
}

function encodeFrame(frame: LogFrame): EncodedFrame {
  const bytes = Buffer.from(encodeLogFrame(frame).buffer);
  let plain = frame.compressed ? undefined : bytes;
  return {
    start: frame.offset,
    end: frame.offset + frame.rawLength,
    bytes,
    plain: () =>
      (plain ??= Buffer.from(
        encodeLogFrame({ ...frame, compressed: false, payload: rawBytes(frame) }).buffer,
      )),
  };
}

/** The newest adjoining frames, up to 256 KiB of them. */
function createRecentFrames() {
  let frames: EncodedFrame[] = [];
  let bytes = 0;
  return {
    add(frame: EncodedFrame) {
      if (frames.at(-1)?.end !== frame.start) {
        frames = [];
        bytes = 0;
      }
      frames.push(frame);
      bytes += frame.bytes.length;
      while (bytes > recentBytes && frames.length > 1) bytes -= frames.shift()?.bytes.length ?? 0;
    },
    from(offset: number): EncodedFrame[] | undefined {
      const at = frames.findIndex((frame) => frame.start === offset);
      return at < 0 ? undefined : frames.slice(at);
    },
    clear() {
      frames = [];
      bytes = 0;
    },
  };
}
