/** The bed of a chaos run: the standing one of a developer where there is one, else one for this run alone. */
import { access, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { readBed, startBed } from "../support/bed.ts";
import { setUpPrograms } from "../support/programs/set-up.ts";

export async function withBed(say: (line: string) => void, work: () => Promise<void>): Promise<void> {
  if (await isStanding()) return work();
  const config = loadLauncherConfig();
  await setUpPrograms({ env: config.inherited, say });
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say,
  });
  await ensureBaseImage(docker.client);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-chaos-"));
  // PostgreSQL runs as another user when we are root and has to pass through.
  await chmod(directory, 0o755);
  const running = await startBed({ directory, say });
  process.env["FORGELINE_TEST_BED"] = running.file;
  try {
    await work();
  } finally {
    await running.stop();
    await docker.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A bed whose file is there and whose PostgreSQL still runs. */
async function isStanding(): Promise<boolean> {
  const bed = await readBed().catch(() => undefined);
  if (!bed) return false;
  return access(`/proc/${bed.pid}`).then(
    () => true,
    () => false,
  );
}
