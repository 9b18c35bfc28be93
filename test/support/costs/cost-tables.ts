/** What a run cost as two tables of Markdown: by folder, and by kind of process. */
import { phases } from "./file-costs.ts";
import { byFolder, type CostsOfFile, type CostsOfRun } from "./reporter.ts";

/** Their lines, with an empty one between them. */
export function costTables(run: CostsOfRun): string[] {
  return [...folderTable(run), "", ...kindTable(run)];
}

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
