/**
 * Joins live frames of a crowded stream: every message to a thousand viewers is a thousand writes, so lines that come
 * close together go out as one frame. The first after a pause goes at once; with few viewers all do.
 */
import { maxLogFrameBytes, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { packFrames } from "../../domains/pipelines/domain.ts";

/** The wait that many viewers cause, milliseconds: none for 20, 50 from 1,000 on. */
const maxWaitMs = 50;
const viewersPerMs = 20;

export interface FrameBatch {
  add(frames: readonly LogFrame[]): void;
  /** Sends what waits. */
  flush(): void;
  /** Drops what waits. */
  clear(): void;
}

export function createFrameBatch(viewers: () => number, deliver: (frame: LogFrame) => void): FrameBatch {
  let waiting: LogFrame[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    const frames = waiting;
    waiting = [];
    waitingBytes = 0;
    for (const frame of packFrames(frames)) deliver(frame);
  }

  function onTimer(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    flush();
    wait();
  }

  function wait(): void {
    const waitMs = Math.min(maxWaitMs, Math.floor(viewers() / viewersPerMs));
    if (waitMs > 0) timer ??= setTimeout(onTimer, waitMs);
  }

  return {
    add(frames) {
      for (const frame of frames) waitingBytes += frame.rawLength;
      waiting.push(...frames);
      if (timer && waitingBytes < maxLogFrameBytes) return;
      flush();
      wait();
    },
    flush,
    clear() {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
      waitingBytes = 0;
    },
  };
}
