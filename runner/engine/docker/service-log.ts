/**
 * Copies what a service prints from the daemon's log into a file that only grows. The daemon's log is always read from
 * its beginning, and as many bytes as the file already has are skipped: so nothing is lost or doubled when the agent
 * or the daemon was restarted in between.
 */
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Dockerode from "dockerode";
import { daemonMessage, type Daemon } from "./daemon.ts";
import { behind, payloads } from "./log-frames.ts";

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
      pauseMs = 500;
      options.onNote(`Log of service container ${containerId.slice(0, 12)}: ${daemonMessage(error)}`);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One pass: from where the file ends to where the daemon's log does. Reads no faster than the disk takes it. */
async function copyOnce({ docker, daemon, containerId, file, signal }: ServiceLogOptions): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    const { size } = await handle.stat();
    const source = (await daemon.ask(
      () => docker.getContainer(containerId).logs({ follow: true, stdout: true, stderr: true, since: 0 }),
      signal,
    )) as Readable;
    const append = async (frames: AsyncIterable<Buffer>): Promise<void> => {
      for await (const printed of behind(payloads(frames), size)) await handle.appendFile(printed);
    };
    await pipeline(source, append, { signal });
  } finally {
    await handle.close();
  }
}
