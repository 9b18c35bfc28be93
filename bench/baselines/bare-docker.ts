/** What Docker alone needs for the same containers, through the same API and on its default network. */
import { spawn } from "node:child_process";
import type Dockerode from "dockerode";
import { baseImageName } from "@forgeline/launcher/base-image.ts";
import { nowMs } from "../statistics.ts";

/** Create, attach, start, first byte of output; milliseconds. The container is removed outside of the time. */
export async function bareFirstByte(docker: Dockerode): Promise<number> {
  const beganMs = nowMs();
  const container = await docker.createContainer({ Image: baseImageName, Cmd: ["echo", "first"] });
  const output = await container.attach({ stream: true, stdout: true });
  const firstByte = new Promise<number>((resolve) => output.once("data", () => resolve(nowMs())));
  await container.start();
  const tookMs = (await firstByte) - beganMs;
  await container.wait();
  await container.remove({ force: true });
  return tookMs;
}

/** Three containers of `true`, one after the other, each until its end is known; removed outside of the time. */
export async function bareSequence(docker: Dockerode): Promise<number> {
  const beganMs = nowMs();
  const made: Dockerode.Container[] = [];
  for (let i = 0; i < 3; i++) {
    const container = await docker.createContainer({ Image: baseImageName, Cmd: ["true"] });
    made.push(container);
    await container.start();
    await container.wait();
  }
  const tookMs = nowMs() - beganMs;
  for (const container of made) await container.remove({ force: true });
  return tookMs;
}

/** Lines a second that `docker logs -f` gives of what `show` prints after `make`. */
export async function bareLogRate(
  docker: Dockerode,
  script: { make: string; show: string; lines: number },
): Promise<number> {
  const container = await docker.createContainer({
    Image: baseImageName,
    Cmd: ["sh", "-c", `cd /tmp; ${script.make}; echo begin; ${script.show}`],
  });
  await container.start();
  const follow = spawn("docker", ["logs", "-f", container.id], { stdio: ["ignore", "pipe", "inherit"] });
  let beganMs = 0;
  let bytes = 0;
  follow.stdout.on("data", (part: Buffer) => {
    if (bytes === 0) beganMs = nowMs();
    bytes += part.length;
  });
  await new Promise<void>((resolve, reject) => {
    follow.once("close", () => resolve());
    follow.once("error", reject);
  });
  const seconds = (nowMs() - beganMs) / 1000;
  await container.remove({ force: true });
  return script.lines / seconds;
}
