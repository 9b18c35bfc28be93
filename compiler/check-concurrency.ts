/** What is wrong with the concurrency groups of a file: their names, and keys that contradict each other. */
import { groupProblem } from "./concurrency-group.ts";
import type { FileModel } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { ValidFile } from "./structure.ts";
import { hasExpression } from "./template.ts";
import { spanOfKey, spanOfValue } from "./tree.ts";

export function checkConcurrency(model: FileModel, sound: ValidFile, report: Report): void {
  const places = [
    { path: [] as Path, written: sound.file.concurrency },
    ...model.stages.map(({ path, stage }) => ({ path, written: stage.concurrency })),
    ...model.jobs.map(({ path, job }) => ({ path, written: job.concurrency })),
  ];
  for (const { path, written } of places) {
    if (written === undefined) continue;
    const place = [...path, "concurrency"];
    const given = typeof written === "string" ? { group: written } : written;
    const problem = hasExpression(given.group) ? null : groupProblem(given.group);
    const name = typeof written === "string" ? place : [...place, "group"];
    if (problem) report.add(problem.code, spanOfValue(sound.tree, name), { message: problem.message });
    if (given.cancel_running !== true || given.waiting !== "all") continue;
    report.add("P113", spanOfKey(sound.tree, [...place, "waiting"]), {
      message: '"waiting: all" and "cancel_running: true" are mutually exclusive',
      hint: "take `waiting` out: whoever cancels the holder also cancels all that wait",
    });
  }
}
