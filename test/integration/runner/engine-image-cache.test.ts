/** The limit of images that were pulled for jobs, with a real daemon and a registry on loopback. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshMs } from "@forgeline/runner/engine/docker/choose-images.ts";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";
import { createImageCache } from "@forgeline/runner/engine/docker/image-cache.ts";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { startSmallRegistry, type SmallRegistry } from "../../support/small-registry.ts";
import { docker, engineBed, type EngineBed } from "./docker-job.ts";

let registry: SmallRegistry;
let bed: EngineBed;
const names: Record<string, string> = {};
let nowMs = Date.now();
const notes: string[] = [];

beforeAll(async () => {
  await ensureBaseImage(docker);
  registry = await startSmallRegistry();
  for (const label of ["one", "two", "busy", "listed", "foreign"]) {
    await registry.add(`cache/${label}`, "1", { labels: { label: `${label} ${String(process.pid)}` } });
    names[label] = `${registry.host}/cache/${label}:1`;
  }
  bed = await engineBed({
    localImages: [names["listed"] ?? ""],
    imageCache: { maxBytes: 1, now: () => nowMs },
    onNote: (line) => notes.push(line),
  });
});
afterAll(async () => {
  await bed?.close();
  await registry?.close();
  for (const name of Object.values(names))
    await docker
      .getImage(name)
      .remove({ force: true })
      .catch(() => undefined);
});

const isHere = (label: string) =>
  docker
    .getImage(names[label] ?? "")
    .inspect()
    .then(
      () => true,
      () => false,
    );
const use = (label: string) => bed.inJob({ image: { name: names[label] ?? "", user: null } }, async () => {});

it("removes what jobs had pulled, and nothing that is in use, listed, fresh or somebody else's", async () => {
  const stream = await docker.pull(names["foreign"] ?? "");
  await new Promise((resolve) => docker.modem.followProgress(stream, resolve));
  for (const label of ["one", "two", "listed"]) await use(label);
  const busy = await bed.prepare({ image: { name: names["busy"] ?? "", user: null } });
  await bed.engine.warm();
  expect(await Promise.all(Object.keys(names).map(isHere))).toEqual([true, true, true, true, true]);

  nowMs += freshMs;
  await use("two");
  await bed.engine.warm();
  expect(await isHere("one")).toBe(false);
  expect(await Promise.all(["two", "busy", "listed", "foreign"].map(isHere))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(notes.filter((note) => note.startsWith("Removed image"))).toEqual([
    expect.stringContaining(`Removed image ${names["one"] ?? ""} (`),
  ]);

  await busy.destroy();
  nowMs += freshMs;
  await bed.engine.warm();
  expect(await Promise.all(["two", "busy", "listed", "foreign"].map(isHere))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

it("knows after a restart what was used before", async () => {
  await use("one");
  const { workDir } = bed;
  nowMs += freshMs;
  const again = createImageCache(
    { docker, daemon: createDaemon(1_000), workDir, onNote: () => undefined },
    { maxBytes: 1, listed: [], now: () => nowMs },
  );
  await again.prune();
  expect(await isHere("one")).toBe(false);
});
