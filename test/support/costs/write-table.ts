/**
 * `node test/support/costs/write-table.ts`: puts the figures of the last run, which should be of all tests, into
 * `test/support/README.md`, between its two markers.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { phases } from "./file-costs.ts";
import { byFolder, costsFile, type CostsOfFile, type CostsOfRun } from "./reporter.ts";

const readme = join(import.meta.dirname, "../README.md");
const [begin, end] = ["<!-- costs -->", "<!-- end of costs -->"];

const run = JSON.parse(await readFile(costsFile, "utf8")) as CostsOfRun;
const text = await readFile(readme, "utf8");
const before = text.slice(0, text.indexOf(begin) + begin.length);
const after = text.slice(text.indexOf(end));
await writeFile(readme, `${before}\n${[...folderTable(run), "", ...kindTable(run)].join("\n")}\n${after}`);

function folderTable({ files }: CostsOfRun): string[] {
  const head = [
    "folder",
    "files",
    "tests",
    "seconds",
    ...phases.map((phase) => `${phase} CPU`),
    "children CPU",
  ];
  const rows = byFolder(files).map(([folder, list]) => [
    folder,
    String(list.length),
    String(sum(list, (file) => file.tests)),
    whole(sum(list, (file) => file.seconds)),
    ...phases.map((phase) => seconds(sum(list, (file) => file.ownMs[phase]))),
    seconds(sum(list, childrenMs)),
  ]);
  return table(head, rows);
}

function kindTable({ files, machine, seconds: wall }: CostsOfRun): string[] {
  const started: Record<string, { started: number; cpuMs: number }> = {};
  for (const { kinds } of files)
    for (const [kind, costs] of Object.entries(kinds)) {
      const entry = (started[kind] ??= { started: 0, cpuMs: 0 });
      entry.started += costs.started;
      entry.cpuMs += costs.cpuMs;
    }
  const ownMs = sum(files, (file) => phases.reduce((total, phase) => total + file.ownMs[phase], 0));
  const rows: [string, string, number][] = [
    ["processes of the tests, with API servers in them", "", ownMs],
    ...Object.entries(started).map(([kind, { started: n, cpuMs }]): [string, string, number] => [
      kind,
      String(n),
      cpuMs,
    ]),
    ...Object.entries(machine.kinds).map(([kind, ms]): [string, string, number] => [
      `${kind}, shared`,
      "",
      ms,
    ]),
  ];
  const shown = rows.filter(([, , ms]) => ms >= 1000).toSorted((a, b) => b[2] - a[2]);
  return table(
    ["where", "started", "CPU seconds"],
    [
      ...shown.map(([kind, n, ms]) => [kind, n, seconds(ms)]),
      [`the whole machine, in ${whole(wall)} s`, "", seconds(machine.busyMs)],
    ],
  );
}

const childrenMs = ({ kinds }: CostsOfFile) =>
  Object.values(kinds).reduce((total, { cpuMs }) => total + cpuMs, 0);

function sum<T>(list: readonly T[], value: (entry: T) => number): number {
  return list.reduce((total, entry) => total + value(entry), 0);
}

const seconds = (ms: number) => whole(ms / 1000);
const whole = (value: number) => value.toFixed(0);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)];
}
