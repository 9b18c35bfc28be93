/**
 * The log of one attempt of a job, outside React: bytes come as fast as the network brings them, and who shows them is told
 * once for each frame that is drawn.
 */
import type { WatchHandlers } from "@forgeline/client/watch-session.ts";
import { createLogStream, type LogStream } from "./log-stream.ts";

export interface LogStore {
  /** Set-up first, then steps in order, then services. */
  streams(): readonly LogStream[];
  /** Changes whenever anything does. */
  version(): number;
  subscribe(listener: () => void): () => void;
  /** Stream → bytes that are here already. */
  have(): Map<string, number>;
  handlers: Required<Pick<WatchHandlers, "onStream" | "onBytes" | "onStreamEnd">>;
}

/** `schedule` calls back before the next frame is drawn. */
export function createLogStore(schedule: (callback: () => void) => void): LogStore {
  const byId = new Map<string, LogStream>();
  const listeners = new Set<() => void>();
  let ordered: readonly LogStream[] = [];
  let version = 0;
  let isScheduled = false;

  function changed(): void {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      version += 1;
      for (const listener of listeners) listener();
    });
  }

  return {
    streams: () => ordered,
    version: () => version,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    have: () => new Map(ordered.map((log) => [log.stream.id, log.byteCount()])),
    handlers: {
      onStream(stream) {
        if (byId.has(stream.id)) return;
        byId.set(stream.id, createLogStream(stream));
        ordered = [...byId.values()].sort((a, b) => rank(a) - rank(b));
        changed();
      },
      onBytes(stream, bytes, place) {
        byId.get(stream.id)?.append(bytes, place);
        changed();
      },
      onStreamEnd(stream, end) {
        byId.get(stream.id)?.finish(end);
        changed();
      },
    },
  };
}

function rank({ stream }: LogStream): number {
  if (stream.kind === "setup") return -1;
  return stream.step ?? Number.MAX_SAFE_INTEGER;
}

/** What a stream is called in an address: `setup`, the position of its step, or `~` and the name of its service. */
export function streamKey({ stream }: LogStream): string {
  if (stream.kind === "setup") return "setup";
  return stream.step === null ? `~${stream.name}` : String(stream.step);
}
