/** How large tables of the kernel must be, and what the runner does about it, in a directory in the place of `/proc/sys`. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { kernelTables, raiseKernelTables, tableWarning } from "@forgeline/runner/kernel-tables.ts";

const gib = 1024 ** 3;
const epoll = "fs.epoll.max_user_watches";
const watches = "fs.inotify.max_user_watches";
const instances = "fs.inotify.max_user_instances";
const neighbours = "net.ipv4.neigh.default.gc_thresh3";
const neighbours6 = "net.ipv6.neigh.default.gc_thresh3";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-sysctl-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pathOf = (name: string) => join(directory, name.replaceAll(".", "/"));
const read = (name: string) => readFile(pathOf(name), "utf8");

async function have(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await mkdir(dirname(pathOf(name)), { recursive: true });
    await writeFile(pathOf(name), value);
  }
}

/** A value of the real kernel that is read and that nobody may write, root neither. */
async function haveReadOnly(name: string): Promise<string> {
  await mkdir(dirname(pathOf(name)), { recursive: true });
  await symlink("/proc/sys/kernel/ngroups_max", pathOf(name));
  return (await read(name)).trim();
}

async function raise(memoryBytes = 4 * gib) {
  const infos: unknown[] = [];
  const warnings: unknown[] = [];
  const logger = {
    info: (what: unknown) => infos.push(what),
    warn: (...said: unknown[]) => warnings.push(said),
  };
  await raiseKernelTables({ logger: logger as never, memoryBytes, directory });
  return { infos, warnings };
}

test("what is charged to jobs has room for more than all memory, what is not for a 64th of it", () => {
  expect(kernelTables(4 * gib)).toEqual([
    { name: epoll, least: (4 * gib) / 128 },
    { name: watches, least: (4 * gib) / 64 },
    { name: instances, least: (4 * gib) / 512 },
    { name: neighbours, least: 131_072 },
    { name: neighbours6, least: 131_072 },
  ]);
});

test("no value is more than the kernel takes", () => {
  expect(Math.max(...kernelTables(2 ** 50).map(({ least }) => least))).toBe(2_147_483_647);
});

test("what is too small is raised, and each value told once; nothing is lowered", async () => {
  await have({
    [epoll]: "900000\n",
    [watches]: "99999999999\n",
    [instances]: "128\n",
    [neighbours]: "131072\n",
    [neighbours6]: "1024\n",
  });
  expect(await raise()).toEqual({
    infos: [
      { sysctl: epoll, old: 900_000, new: 33_554_432 },
      { sysctl: instances, old: 128, new: 8_388_608 },
      { sysctl: neighbours6, old: 1_024, new: 131_072 },
    ],
    warnings: [],
  });
  expect(await Promise.all([epoll, watches, instances, neighbours, neighbours6].map(read))).toEqual([
    "33554432",
    "99999999999\n",
    "8388608",
    "131072\n",
    "131072",
  ]);
  expect(await raise()).toEqual({ infos: [], warnings: [] });
});

test("where one may not be written, one warning has the lines to set, those of another network included", async () => {
  const size = await haveReadOnly(watches);
  await have({ [epoll]: "1", [instances]: "99999999", "net.ipv4.neigh.lo.gc_stale_time": "60" });
  const { infos, warnings } = await raise();
  expect(infos).toEqual([{ sysctl: epoll, old: 1, new: 33_554_432 }]);
  expect(warnings).toEqual([
    [
      { lines: [`${watches} = 67108864`, `${neighbours} = 131072`] },
      `A single job can fill kernel tables shared by all containers: ${watches} (${size}). ` +
        "Put these lines into /etc/sysctl.d/90-forgeline.conf and run `sysctl --system`.",
    ],
  ]);
});

test("nothing is said where all that can be seen is large enough, and where there are no such tables", async () => {
  expect(tableWarning([])).toBeNull();
  expect(tableWarning([{ name: neighbours, least: 1, size: "hidden" }])).toBeNull();
  expect(tableWarning([{ name: epoll, least: 5, size: 5 }])).toBeNull();
  expect(await raise()).toEqual({ infos: [], warnings: [] });
});
