/** What a container printed last, for people to read: without the daemon's framing and what a terminal would act on. */
import type Dockerode from "dockerode";
import type { Daemon } from "./daemon.ts";

export async function lastOutput(
  daemon: Daemon,
  container: Dockerode.Container,
  lines: number,
): Promise<string> {
  const log = await daemon.ask(() => container.logs({ stdout: true, stderr: true, tail: lines }));
  return log
    .toString("utf8")
    .replaceAll(/[^\x20-\x7e\n]/g, "")
    .trim();
}
