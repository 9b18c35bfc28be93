/** What of a file is more than administrators allow, or than is allowed where they have set nothing. */
import { atMost, lengthOf, limitHint, type HeldLimit } from "./held-limits.ts";
import { objectKind } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { Source } from "./source.ts";
import { quote } from "./suggest.ts";
import { nodeAt, spanOfValue, type MapNode, type TreeNode } from "./tree.ts";

/** False: it is too large, which has been reported. */
export function checkFileBytes(source: Source, report: Report): boolean {
  const limit = report.limits.file_kib;
  const bytes = new TextEncoder().encode(source.text).length;
  if (bytes <= limit.value * 1024) return true;
  const message = `the file is ${bytes} bytes; ${atMost(limit, 1024)}`;
  report.add("P301", { start: 0, end: 0 }, { message, hint: limitHint(limit) });
  return false;
}

/** Numbers of stages and jobs, and of what jobs consist of. Steps: `check-groups.ts`. */
export function checkCounts(tree: MapNode, report: Report): void {
  checkCount(tree, { key: "stages", limit: report.limits.stages }, report);
  const jobs = tree.entries.get("jobs");
  if (jobs?.value.kind === "map") {
    const count = jobs.value.entries.size;
    if (count > report.limits.jobs.value)
      refuse(jobs.keySpan, { what: `${count} jobs`, limit: report.limits.jobs }, report);
    if (count === 0) report.add("P103", jobs.keySpan, { message: '"jobs" must not be empty' });
    for (const entry of jobs.value.entries.values()) checkJob(entry.value, report);
  }
  checkJob(tree, report);
}

function checkJob(job: TreeNode, report: Report): void {
  const { services, needs, caches, artifacts } = report.limits;
  const found = job.kind === "map" ? job.entries.get("services") : undefined;
  const count = found?.value.kind === "map" ? found.value.entries.size : 0;
  if (found && count > services.value) {
    const what = count === 1 ? "1 service" : `${count} services`;
    refuse(found.keySpan, { what, limit: services }, report);
  }
  checkCount(job, { key: "needs", limit: needs }, report);
  checkCount(job, { key: "cache", limit: caches }, report);
  checkCount(job, { key: "artifacts", limit: artifacts }, report);
}

function checkCount(
  owner: TreeNode,
  { key, limit }: { key: string; limit: HeldLimit },
  report: Report,
): void {
  const list = owner.kind === "map" ? owner.entries.get(key) : undefined;
  if (list?.value.kind !== "seq" || list.value.items.length <= limit.value) return;
  refuse(list.keySpan, { what: `${quote(key)} has ${list.value.items.length} entries`, limit }, report);
}

function refuse(
  span: MapNode["span"],
  { what, limit }: { what: string; limit: HeldLimit },
  report: Report,
): void {
  report.add("P305", span, { message: `${what}; ${atMost(limit)}`, hint: limitHint(limit) });
}

/** A `timeout` or another time in which something must be done; `length` in milliseconds. */
export function checkLength(
  { key, path, length }: { key: string; path: Path; length: number },
  { tree, report }: { tree: MapNode; report: Report },
): void {
  const { run_minutes: ofRun, job_minutes: ofJob } = report.limits;
  const limit = isOfRun(path.slice(0, -1), tree) ? ofRun : ofJob;
  if (length <= limit.value * 60_000) return;
  report.add("P307", spanOfValue(tree, path), {
    message: `${quote(key)} can be at most ${lengthOf(limit.value)}`,
    hint: limitHint(limit),
  });
}

/** A job that starts a pipeline runs as long as that one, and between tries no job runs. */
function isOfRun(owner: Path, tree: MapNode): boolean {
  const kind = objectKind(owner);
  if (kind !== "job") return kind === "file" || kind === "stage" || kind === "retry";
  const job = nodeAt(tree, owner);
  return job?.kind === "map" && job.entries.has("trigger");
}
