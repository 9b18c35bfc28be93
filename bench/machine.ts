/** What a bench needs of the machine, where no run of tests has made it ready: programs, Docker, a bed, the built pages. */
import { join } from "node:path";
import type Dockerode from "dockerode";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { run } from "@forgeline/launcher/run.ts";
import { startBed } from "../test/support/bed.ts";
import { setUpPrograms } from "../test/support/programs/set-up.ts";
import type { Cleanup } from "./bed.ts";

interface MachineOptions {
  directory: string;
  say: (line: string) => void;
  ends: Cleanup[];
}

/** A standing bed is used where `FORGELINE_TEST_BED` names one. */
export async function prepareMachine({ directory, say, ends }: MachineOptions): Promise<Dockerode> {
  const config = loadLauncherConfig();
  await setUpPrograms({ env: config.inherited, say });
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say,
  });
  ends.push(() => docker.stop());
  await ensureBaseImage(docker.client);
  if (process.env["FORGELINE_TEST_BED"] === undefined) {
    const bed = await startBed({ directory: join(directory, "bed"), say, isDurable: true });
    process.env["FORGELINE_TEST_BED"] = bed.file;
    ends.push(() => bed.stop());
  }
  say(`web interface: ${(await run(process.execPath, ["web/build.ts"], { env: process.env })).trim()}`);
  return docker.client;
}
