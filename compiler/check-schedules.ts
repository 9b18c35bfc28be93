/** Times, time zones and names of `on.schedule`. */
import { minIntervalMinutes } from "@forgeline/schemas/core/time.ts";
import { scheduleName } from "./build-triggers.ts";
import { isTimeZone, readCron, shortestGapMs } from "./cron.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import { nodeAt, spanOfValue, type MapNode } from "./tree.ts";

export function checkSchedules(tree: MapNode, report: Report): void {
  const list = nodeAt(tree, ["on", "schedule"]);
  if (list?.kind !== "seq") return;
  const names = new Set<string>();
  for (const index of list.items.keys()) {
    const path = ["on", "schedule", index];
    const text = (key: string) => textAt(tree, [...path, key]);
    const [cron, name, timezone = "UTC"] = [text("cron"), text("name"), text("timezone")];
    if (cron === undefined) continue;
    checkTimes({ cron, timezone }, { tree, path, report });
    const called = scheduleName({ cron, ...(name === undefined ? {} : { name }) });
    if (names.has(called))
      report.add("P111", spanOfValue(tree, name === undefined ? path : [...path, "name"]), {
        message: `two schedules are called ${quote(called)}`,
        hint: "give each a `name` of its own",
      });
    names.add(called);
  }
}

function checkTimes(
  { cron, timezone }: { cron: string; timezone: string },
  { tree, path, report }: { tree: MapNode; path: Path; report: Report },
): void {
  const isZone = isTimeZone(timezone);
  if (!isZone)
    report.add("P115", spanOfValue(tree, [...path, "timezone"]), {
      message: `${quote(timezone)} is not an IANA time zone`,
      hint: "for example Europe/Berlin or America/New_York; without `timezone` it is UTC",
    });
  const span = spanOfValue(tree, [...path, "cron"]);
  const line = readCron(cron);
  if (line === undefined)
    report.add("P115", span, {
      message: `${quote(cron)} is not a cron line with five fields, or it never comes`,
      hint: 'minute, hour, day of the month, month, day of the week: "0 3 * * MON-FRI"',
    });
  else if (isZone && shortestGapMs({ cron: line, timezone }, 0) < minIntervalMinutes * 60_000)
    report.add("P115", span, {
      message: `it must not come more often than every ${minIntervalMinutes} minutes`,
    });
}

function textAt(tree: MapNode, path: Path): string | undefined {
  const node = nodeAt(tree, path);
  return node?.kind === "scalar" ? node.text : undefined;
}
