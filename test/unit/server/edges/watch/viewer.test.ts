/** Row 74 of security.md: what one viewer can have kept and sent by asking. */
import type { WebSocket } from "ws";
import { expect, it } from "vitest";
import { maxResumedStreams } from "@forgeline/schemas/logs/watch.ts";
import type { RunStream } from "@forgeline/server/domains/pipelines/logs/run-state.ts";
import type { WatchedRun } from "@forgeline/server/edges/watch/run.ts";
import type { SharedStreams } from "@forgeline/server/edges/watch/stream.ts";
import { createViewer, type Viewer } from "@forgeline/server/edges/watch/viewer.ts";

interface Watching extends Viewer {
  socket: { bufferedAmount: number };
  sent: number;
  refused: string[];
}

/** Of a run that is not read again as long as the test goes. */
function watch(streams: RunStream[] = []): Watching {
  const refused: string[] = [];
  const socket = { bufferedAmount: 0, readyState: 1, OPEN: 1, send: () => void (watching.sent += 1) };
  const run: Partial<WatchedRun> = {
    streams: () => streams,
    snapshot: () => [],
    changes: () => [],
    position: () => 0,
    outcome: () => undefined,
    readAgain: () => new Promise(() => undefined),
    follow: () => () => undefined,
  };
  const shared = { channel: 1, follow: () => () => undefined, read: async () => [] };
  const viewer = createViewer({
    socket: socket as unknown as WebSocket,
    run: run as WatchedRun,
    streams: { get: () => shared } as SharedStreams,
    filter: { job: undefined, step: undefined },
    from: 0,
    resume: {},
    zstd: true,
    refuse: (code, reason) => void refused.push(`${code} ${reason}`),
  });
  const watching: Watching = { ...viewer, socket, sent: 0, refused };
  return watching;
}

const invented = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`log_${from + n}`, 0]));

it("may name as many streams as a run may have, and no more over several messages", () => {
  const viewer = watch();
  viewer.resume(invented(maxResumedStreams));
  expect(viewer.refused).toEqual([]);
  viewer.resume(invented(1, maxResumedStreams));
  expect(viewer.refused).toEqual(["4400 more log streams were requested than this run has"]);
  viewer.close();
});

it("that does not read gets nothing more for asking", () => {
  const viewer = watch([{ id: "log_0", next_offset: 0, ended: false } as RunStream]);
  viewer.resume(invented(1));
  const { sent } = viewer;
  viewer.socket.bufferedAmount = 1024 * 1024;
  viewer.resume(invented(1));
  expect(viewer.refused).toEqual(["4429 read what was sent before requesting more"]);
  expect(viewer.sent).toBe(sent);
  viewer.close();
});
