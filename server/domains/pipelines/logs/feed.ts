/**
 * Tells watchers in this process what happens to logs: frames right after their commit, ends of streams, and hints from other
 * servers that there is more to read. Stores nothing.
 */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";

export interface StreamListener {
  /** These frames are durable; they adjoin. The same objects go to every listener and must not be changed. */
  frames(frames: readonly LogFrame[]): void;
  /** Another server stored bytes up to `end`; read them from storage. */
  hint(end: number): void;
  /** The stream has ended in the database. */
  ended(): void;
}

export interface LogFeed {
  subscribe(streamId: string, listener: StreamListener): () => void;
  publish(streamId: string, frames: readonly LogFrame[]): void;
  hint(streamId: string, end: number): void;
  end(streamId: string): void;
  /** Notifications may have been missed: every listener should read again. */
  lookAgain(): void;
}

export function createLogFeed(): LogFeed {
  const listeners = new Map<string, Set<StreamListener>>();
  const tell = (streamId: string, action: (listener: StreamListener) => void) => {
    for (const listener of listeners.get(streamId) ?? []) action(listener);
  };
  return {
    subscribe(streamId, listener) {
      const set = listeners.get(streamId) ?? new Set();
      listeners.set(streamId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(streamId) === set) listeners.delete(streamId);
      };
    },
    publish: (streamId, frames) => tell(streamId, (listener) => listener.frames(frames)),
    hint: (streamId, end) => tell(streamId, (listener) => listener.hint(end)),
    end: (streamId) => tell(streamId, (listener) => listener.ended()),
    lookAgain() {
      for (const streamId of listeners.keys()) {
        tell(streamId, (listener) => {
          listener.hint(Number.MAX_SAFE_INTEGER);
          listener.ended();
        });
      }
    },
  };
}
