/** Row 71 of security.md: journal and logs are taken over only where they are what the runner made. */
import { appendFile, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createSupervisor,
  makeSupervisorPlaces,
  type SupervisorPlaces,
} from "@forgeline/runner/engine/docker/supervisor.ts";

let home: string;
let places: SupervisorPlaces;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "forgeline-supervisor-"));
  places = {
    inDir: join(home, "in"),
    outDir: join(home, "out"),
    control: join(home, "taken/control"),
    ownDir: join(home, "taken/own"),
  };
});
afterEach(() => rm(home, { recursive: true, force: true }));

const own = () => join(places.outDir, "own");
const sayReady = () => appendFile(join(own(), "journal"), "ready 0 0 sh\n");

async function start(meanwhile: () => Promise<void>): Promise<unknown> {
  const made = await makeSupervisorPlaces(places);
  await meanwhile();
  return createSupervisor(places, made).whenReady(() => Promise.resolve(true), AbortSignal.timeout(5_000));
}

it("leaves no name of journal, logs and commands to the container", async () => {
  expect(await start(sayReady)).toEqual({ uid: 0, gid: 0, hasShell: true });
  expect([await readdir(places.inDir), await readdir(places.outDir)]).toEqual([[], []]);
  expect(await readdir(places.ownDir)).toEqual(["journal"]);
});

const planted: Record<string, () => Promise<void>> = {
  "another directory": async () => {
    await rename(own(), join(home, "away"));
    await mkdir(own());
    await writeFile(join(own(), "journal"), "ready 0 0 sh\n");
  },
  "a link to one": async () => {
    await sayReady();
    await rename(own(), join(home, "away"));
    await symlink(join(home, "away"), own());
  },
  "a file beside the journal": async () => {
    await writeFile(join(own(), "step-0.out"), "");
    await sayReady();
  },
};
it.each(Object.entries(planted))("does not start where there is %s", async (_what, plant) => {
  await expect(start(plant)).rejects.toThrow(/was running before the step supervisor/);
});
