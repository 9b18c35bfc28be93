/** A bed that stays up for developers who run single test files: `node test/support/standing-bed.ts`, then `npx vitest run FILE`. */
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { startBed } from "./bed.ts";
import { makeRunDirectory } from "./run-directory.ts";

const say = (line: string) => console.log(line);
const config = loadLauncherConfig();
const docker = await ensureDocker({
  dockerHost: config.dockerHost,
  env: config.inherited,
  runDirectory: join(config.cache, "docker"),
  say,
});
await ensureBaseImage(docker.client);
const directory = await makeRunDirectory();
const running = await startBed({ directory, say });
await copyFile(running.file, "/tmp/forgeline-bed.json");
say("standing test bed: /tmp/forgeline-bed.json; Ctrl-C ends it");
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    void running.stop().then(async () => {
      await docker.stop();
      await rm("/tmp/forgeline-bed.json", { force: true });
      await rm(directory, { recursive: true, force: true });
      process.exit(0);
    });
  });
