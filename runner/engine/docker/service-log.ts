/**
 * Copies what a service prints from the daemon's log into a file that only grows. The daemon's log is always read from
 * its beginning, and as many bytes as the file already has are skipped: so nothing is lost or doubled when the agent
 * or the daemon was restarted in between.
 */
import { open, type FileHandle } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { finished } from "node:stream/promises";
import { Writable } from "node:stream";
import type Dockerode from "dockerode";
import { daemonMessage, type Daemon } from "./daemon.ts";

export interface ServiceLogOptions {
  docker: Dockerode;
  daemon: Daemon;
  containerId: string;
  file: string;
  signal: AbortSignal;
  onNote: (line: string) => void;
}

/** Resolves when the container has ended and all is written, or when aborted. */
export async function followServiceLog(options: ServiceLogOptions): Promise<void> {
  const { signal, daemon, docker, containerId } = options;
  while (!signal.aborted) {
    let pauseMs = 50;
    try {
      const info = await daemon.find(() => docker.getContainer(containerId).inspect(), signal);
      if (info === null) return;
      await copyOnce(options);
      if (!info.State.Running) return;
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = 200;
      options.onNote(`Log of service container ${containerId.slice(0, 12)}: ${daemonMessage(error)}`);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

type Done = (error?: Error | null) => void;

async function append(handle: FileHandle, bytes: Buffer, done: Done): Promise<void> {
  try {
    await handle.appendFile(bytes);
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

async function copyOnce(options: ServiceLogOptions): Promise<void> {
  const { docker, daemon, containerId, file, signal } = options;
  const handle = await open(file, "a", 0o600);
  try {
    let skip = (await handle.stat()).size;
    const stream = (await daemon.ask(
      () => docker.getContainer(containerId).logs({ follow: true, stdout: true, stderr: true, since: 0 }),
      signal,
    )) as NodeJS.ReadableStream & { destroy(): void };
    const abort = (): void => {
      stream.destroy();
    };
    signal.addEventListener("abort", abort);
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const rest = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - rest.length;
        if (rest.length === 0) done();
        else void append(handle, rest, done);
      },
    });
    docker.modem.demuxStream(stream, sink, sink);
    try {
      await finished(stream as unknown as Writable, { writable: false });
    } finally {
      signal.removeEventListener("abort", abort);
      sink.end();
      await finished(sink);
    }
  } finally {
    await handle.close();
  }
}
