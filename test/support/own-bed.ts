/** Parts of the bed for one test file, which may kill them; everything in this process uses them from then on. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { readBed, startBed, type RunningBed } from "./bed.ts";
import { startOwnDocker, type OwnDocker } from "./own-docker.ts";

/** Names the bed that this process uses from here on; the returned function gives the former one back. */
function useBed(file: string): () => void {
  const before = process.env["FORGELINE_TEST_BED"];
  process.env["FORGELINE_TEST_BED"] = file;
  return () => {
    if (before === undefined) delete process.env["FORGELINE_TEST_BED"];
    else process.env["FORGELINE_TEST_BED"] = before;
  };
}

/** The common PostgreSQL and Temporal, with a Docker daemon of this file's own that has the base image. */
export async function startOwnDockerBed(): Promise<OwnDocker> {
  const own = await startOwnDocker();
  await ensureBaseImage(own.docker);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-own-bed-"));
  const file = join(directory, "bed.json");
  const dockerSocket = own.host.replace("unix://", "");
  const bed = { ...(await readBed()), dockerSocket, dockerGateway: own.gateway };
  await writeFile(file, JSON.stringify(bed), { mode: 0o600 });
  const giveBack = useBed(file);
  return {
    ...own,
    async close() {
      giveBack();
      await own.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL and a Temporal of this file's own, with the common Docker. */

export async function startOwnBed(): Promise<RunningBed> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-own-bed-"));
  // PostgreSQL runs as another user when we are root and has to pass through.
  await chmod(directory, 0o755);
  const bed = await startBed({ directory, say: () => undefined });
  const giveBack = useBed(bed.file);
  return {
    ...bed,
    async stop() {
      giveBack();
      await bed.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
