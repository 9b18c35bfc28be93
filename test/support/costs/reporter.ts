/** Prints where the time of a run went, the longest files and the sum of each folder, and keeps all figures in a file. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { keepSeconds } from "./known-seconds.ts";
import { readMachineCosts, type MachineCosts } from "./shared-costs.ts";
import { type FileCosts } from "./file-costs.ts";

export interface CostsOfFile extends FileCosts {
  /** Below `test/`. */
  file: string;
  tests: number;
  seconds: number;
}

export interface CostsOfRun {
  seconds: number;
  files: CostsOfFile[];
  /** Difference from the run's start to its end. */
  machine: MachineCosts;
}

const testDirectory = new URL("../..", import.meta.url).pathname;
const maxShown = 10;

/** Where the figures of the last run lie. */
export const costsFile = join(loadLauncherConfig().cache, "test-costs.json");

export function createCostReporter(): Reporter {
  let startedAt = 0;
  let before: MachineCosts;
  return {
    async onTestRunStart() {
      startedAt = performance.now();
      before = await readMachineCosts();
    },
    async onTestRunEnd(modules) {
      const run = {
        seconds: (performance.now() - startedAt) / 1000,
        files: modules.flatMap(costsOf),
        machine: difference(before, await readMachineCosts()),
      };
      console.log(summary(run));
      await mkdir(dirname(costsFile), { recursive: true });
      await writeFile(costsFile, JSON.stringify(run));
      await keepSeconds(run.files);
    },
  };
}

function costsOf(module: TestModule): CostsOfFile[] {
  const { costs } = module.meta();
  if (!costs) return [];
  const seconds = Object.values(costs.wallMs).reduce((sum, ms) => sum + ms, 0) / 1000;
  const tests = [...module.children.allTests()].length;
  return [{ ...costs, file: relative(testDirectory, module.moduleId), tests, seconds }];
}

function difference(before: MachineCosts, after: MachineCosts): MachineCosts {
  const kinds = Object.entries(after.kinds).map(([kind, ms]) => [kind, ms - (before.kinds[kind] ?? 0)]);
  return { busyMs: after.busyMs - before.busyMs, kinds: Object.fromEntries(kinds) as Record<string, number> };
}

/** Of a file below `test/`: the folder that is worth a row of its own. */
export function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.slice(0, parts[0] === "integration" && parts.length > 2 ? 2 : 1).join("/");
}

export function byFolder(files: readonly CostsOfFile[]): [folder: string, files: CostsOfFile[]][] {
  const seconds = ([, list]: [string, CostsOfFile[]]) => list.reduce((sum, file) => sum + file.seconds, 0);
  return Object.entries(Object.groupBy(files, ({ file }) => folderOf(file)))
    .map(([folder, list = []]): [string, CostsOfFile[]] => [folder, list])
    .toSorted((a, b) => seconds(b) - seconds(a));
}

function summary({ files, seconds, machine }: CostsOfRun): string {
  const line = (value: number, text: string) => `${value.toFixed(1).padStart(8)} s  ${text}`;
  const longest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, maxShown);
  const folders = byFolder(files).map(([folder, list]) => {
    const sum = list.reduce((total, file) => total + file.seconds, 0);
    const tests = list.reduce((total, file) => total + file.tests, 0);
    return line(sum, `${folder} (${list.length} files, ${tests} tests)`);
  });
  const cores = `${(machine.busyMs / 1000 / seconds).toFixed(2)} cores busy`;
  return [
    "longest files",
    ...longest.map((file) => line(file.seconds, file.file)),
    "folders",
    ...folders,
    line(seconds, `in all, ${cores}`),
  ].join("\n");
}
