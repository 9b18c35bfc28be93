/** `approval` of stages and jobs: who is named, whether they are enough, and how long it waits. */
import type { z } from "zod";
import type { FileApproval } from "@forgeline/schemas/pipeline-file/file-approval.ts";
import { durationMs } from "./duration.ts";
import type { FileModel } from "./file-model.ts";
import { lengthOf, limitHint } from "./held-limits.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import { spanOfKey, spanOfValue, type MapNode } from "./tree.ts";

const name = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";
const user = new RegExp(`^${name}$`);
const team = new RegExp(`^${name}(/${name})+$`);
const dayMs = 86_400_000;

/** Whether those who are named exist is known only when the gate is reached. */
export function checkApprovals(model: FileModel, tree: MapNode, report: Report): void {
  const places = [
    ...model.stages.map(({ stage, path }) => ({ approval: stage.approval, path })),
    ...model.jobs.map(({ job, path }) => ({ approval: job.approval, path })),
  ];
  for (const { approval, path } of places)
    if (approval) checkApproval({ approval, path: [...path, "approval"] }, tree, report);
}

interface Place {
  approval: z.infer<typeof FileApproval>;
  path: Path;
}

function checkApproval(place: Place, tree: MapNode, report: Report): void {
  const { approval, path } = place;
  if (approval.expires !== undefined) {
    const span = spanOfValue(tree, [...path, "expires"]);
    const length = durationMs(approval.expires);
    if (length === 0) report.add("P103", span, { message: '"expires" must be longer than 0' });
    const limit = report.limits.approval_days;
    if (length > limit.value * dayMs)
      report.add("P307", span, {
        message: `"expires" can be at most ${lengthOf(limit.value * 24 * 60)}`,
        hint: limitHint(limit),
      });
  }
  if (approval.approvers !== undefined) checkApprovers(place, tree, report);
}

function checkApprovers({ approval, path }: Place, tree: MapNode, report: Report): void {
  const { approvers = [], count = 1, level } = approval;
  const names = [approvers].flat();
  if (names.length === 0)
    report.add("P103", spanOfKey(tree, [...path, "approvers"]), {
      message: '"approvers" must not be empty',
      hint: "leave it out to let everyone with Write, or with `level`, approve",
    });
  const seen = new Set<string>();
  names.forEach((one, i) => {
    const span = spanOfValue(tree, [...path, "approvers", ...(Array.isArray(approvers) ? [i] : [])]);
    if (!user.test(one) && !team.test(one))
      report.add("P103", span, {
        message: `${quote(one)} must be the name of a user, or a team as ORG/TEAM`,
        ...(one.startsWith("@") ? { hint: "write it without the @" } : {}),
      });
    if (seen.has(one.toLowerCase()))
      report.add("P111", span, { message: `${quote(one)} is listed twice as an approver` });
    seen.add(one.toLowerCase());
  });
  if (level === undefined && names.length > 0 && names.every((one) => user.test(one)) && seen.size < count)
    report.add("P103", spanOfKey(tree, [...path, "approvers"]), {
      message: `"count" is ${count}, but only ${seen.size} user${seen.size === 1 ? " is" : "s are"} listed in "approvers"`,
      hint: "list more approvers or a team, add a `level`, or lower `count`",
    });
}
