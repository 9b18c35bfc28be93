/** Mistakes in how the agent counts what jobs take of the disk, and in whom it ends for it. */
import type { Mutant } from "./mutant.ts";

export const runnerDisk: readonly Mutant[] = [
  {
    name: "runner-blames-who-took-the-disk",
    promise: "Security 42: a job that takes little of a full disk is never blamed.",
    file: "runner/disk-watch.ts",
    find: "if (!largest || largest.bytes < blameBytes) return null;",
    replace: "if (!largest) return null;",
    tests: ["test/unit/runner/disk-watch.test.ts"],
  },
  {
    name: "runner-counts-etc-hosts",
    promise: "Security 42: what a job writes into files of the daemon is counted.",
    file: "runner/engine/docker/written-places.ts",
    find: "[dirname(HostsPath), ...volumes]",
    replace: "volumes",
    tests: ["test/unit/runner/engine/docker/job-disk.test.ts"],
  },
  {
    name: "runner-counts-volumes",
    promise: "Security 42: what a job writes into its image's volumes is counted.",
    file: "runner/engine/docker/written-places.ts",
    find: `Type === "volume"`,
    replace: `Type === "tmpfs"`,
    tests: ["test/unit/runner/engine/docker/job-disk.test.ts"],
  },
  {
    name: "runner-takes-minus-one-for-a-size",
    promise: "Security 42: a layer that the daemon cannot count is unknown.",
    file: "runner/engine/docker/written-places.ts",
    find: "SizeRw !== undefined && SizeRw >= 0 ?",
    replace: "SizeRw !== undefined ?",
    tests: ["test/unit/runner/engine/docker/job-disk.test.ts"],
  },
  {
    name: "runner-counts-layers-itself",
    promise: "Security 42: layers are counted in blocks, and their files and directories as well.",
    file: "runner/engine/docker/written-places.ts",
    find: `return directory === undefined || directory === "" ? null : [directory];`,
    replace: "return directory === undefined ? [] : null;",
    tests: ["test/hostile/42-hidden-disk.test.ts"],
  },
  {
    name: "runner-counts-logs-whole",
    promise: "Security 42: a log that the spool has as well is counted whole.",
    file: "runner/engine/docker/job-disk.ts",
    find: "diskUsage(ownDirectory(context, jobKey)),",
    replace: `walkTree(await placeInit(initDirectory(context)), ["usage", ownDirectory(context, jobKey)], timeoutMs).then(usageOf),`,
    tests: ["test/unit/runner/engine/docker/job-disk.test.ts"],
  },
];
