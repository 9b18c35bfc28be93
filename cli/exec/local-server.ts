/**
 * Stands where the engine of jobs has its server: takes log frames and reports of attempts, and answers at once, since nothing
 * can be lost on the way.
 */
import { zstdDecompressSync } from "node:zlib";
import { decodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { JobResult, LeaseSpec, StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { JobWiring } from "@forgeline/runner/job/create-job.ts";
import { LogSender } from "@forgeline/runner/logs/log-sender.ts";

/** A log as viewers of a server know it. */
export interface LocalStream {
  id: string;
  kind: "setup" | "step" | "service";
  stage: string;
  job: string;
  jobLabel: string;
  jobId: string;
  attempt: number;
  step: number | null;
  name: string;
}

export interface LogHandlers {
  onStream(stream: LocalStream): void;
  /** In order, without gap or repetition. `timeMs`: when the first line that begins in them was seen; null where none does. */
  onBytes(stream: LocalStream, bytes: Uint8Array, timeMs: number | null): void;
  onStreamEnd(stream: LocalStream, end: { bytes: number; lines: number; complete: boolean }): void;
}

/** What an attempt has to say. */
export interface AttemptReports {
  started(timeMs: number): void;
  stepStarted(step: { position: number; name: string; timeMs: number }): void;
  stepEnded(step: StepResult): void;
  done(result: JobResult): void;
}

export interface LocalServer extends Pick<JobWiring, "link" | "sender"> {
  /** Before its job is made. */
  expect(spec: LeaseSpec, streams: readonly LocalStream[], reports: AttemptReports): void;
}

const mib = 1024 * 1024;
const windows = { windowBytes: 8 * mib, windowBytesPerStream: mib };
const taken = { t: "ack", id: 0 } as const;
type Outgoing = Parameters<JobWiring["link"]["deliver"]>[0];

export function createLocalServer(logs: LogHandlers): LocalServer {
  const byChannel = new Map<number, LocalStream>();
  const byId = new Map<string, LocalStream>();
  const attempts = new Map<string, AttemptReports>();

  const sender = new LogSender({
    up: true,
    bufferedBytes: () => 0,
    sendBinary(bytes) {
      const { channel, offset, rawLength, compressed, payload, timeRuns } = decodeLogFrame(bytes);
      const stream = byChannel.get(channel);
      const timeMs = timeRuns[0]?.timeMs ?? null;
      if (stream) logs.onBytes(stream, compressed ? zstdDecompressSync(payload) : payload, timeMs);
      // Not before the pump has done with the frame.
      setImmediate(() => sender.acknowledge(channel, offset + rawLength));
    },
  });
  sender.connected(windows);

  function report(message: Outgoing): void {
    const reports = "attemptId" in message ? attempts.get(message.attemptId) : undefined;
    if (message.t === "started") reports?.started(message.timeMs);
    else if (message.t === "step_started") reports?.stepStarted(message);
    else if (message.t === "step_ended") reports?.stepEnded(message.step);
    else if (message.t === "done") reports?.done(message.result);
    else if (message.t === "log_eof") {
      const stream = byId.get(message.streamId);
      if (stream) logs.onStreamEnd(stream, { bytes: message.bytes, lines: message.lines, complete: true });
    }
  }

  return {
    sender,
    link: {
      deliver(message, onAnswer = () => undefined) {
        report(message);
        setImmediate(() => onAnswer(taken));
      },
      ask(message) {
        report(message);
        return Promise.resolve(taken);
      },
    },
    expect(spec, streams, reports) {
      attempts.set(spec.attemptId, reports);
      for (const [index, { id, channel }] of spec.streams.entries()) {
        const stream = streams[index];
        if (!stream) continue;
        byChannel.set(channel, stream);
        byId.set(id, stream);
        logs.onStream(stream);
      }
    },
  };
}
