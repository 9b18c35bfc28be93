/** Mails to those who may approve, when a gate opens: with what they need to decide, so that they need not look for it. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Operation } from "../../operation/domain.ts";
import { exceptSelf, goingBackText, placeText, timeText, whoMay } from "./gate-texts.ts";
import type { GatePlace } from "./gates.store.ts";
import { findApprovers, findGoingBack } from "./told.store.ts";

/** A gate that the whole instance may open is not a way to flood it with mails. */
const maxMails = 50;
const maxSubjectChars = 100;

export interface GateMails {
  mail: Pick<Operation["mail"], "write">;
  /** Address of the run in the web interface. */
  webUrl: string;
  /** What the run was started by. */
  event: PipelineEvent;
}

interface OpenedGate {
  gateId: string;
  pipelineId: string;
  rule: PlanApproval;
  /** With an environment, its protection asks for it; otherwise the pipeline file does. */
  place: GatePlace;
  /** Where the job deploys to; null: nowhere. */
  target: string | null;
  until: Date;
  /** `OWNER/NAME#NUMBER`. */
  run: string;
}

export async function tellApprovers(
  tx: Transaction,
  { mail, webUrl, event }: GateMails,
  gate: OpenedGate,
): Promise<void> {
  const { gateId, rule, place, run } = gate;
  const what = placeText(place);
  const subject = `Approval needed: ${what} of ${run}`;
  const said = rule.message === null ? [] : ["", ...rule.message.split("\n").map((line) => `> ${line}`)];
  const goingBack = gate.target === null ? undefined : await findGoingBack(tx, gate.pipelineId, gate.target);
  const needed = rule.count === 1 ? "your approval" : `${rule.count} approvals; yours would be one of them`;
  const asker = place.environment === null ? "the pipeline file" : `the environment ${place.environment}`;
  const text = [
    `The pipeline run ${run} has reached ${what} and waits for ${needed}.`,
    ...said,
    ...(goingBack ? ["", goingBackText(goingBack)] : []),
    "",
    ...factsOf(event, gate),
    "",
    `Look at the run, then approve or reject: ${webUrl}`,
    "",
    `You get this mail because ${asker} says that you may approve.`,
  ].join("\n");
  for (const to of await findApprovers(tx, gateId, maxMails))
    await mail.write(tx, { kind: "approval_needed", to, subject, text });
}

/** One a line; what does not apply is left out. */
function factsOf(event: PipelineEvent, { rule, place, target, until }: OpenedGate): string[] {
  const { repository, branch, tag, sha, commitMessage, actor } = event;
  const ref = tag === null ? branch && `Branch: ${branch}` : `Tag: ${tag}`;
  const title = commitMessage.split("\n", 1)[0]?.slice(0, maxSubjectChars) ?? "";
  return [
    `Repository: ${repository.owner}/${repository.name}`,
    `Stage: ${place.stage}`,
    ...(target === null ? [] : [`Deploys to: ${target}`]),
    ...(ref ? [ref] : []),
    `Commit: ${sha.slice(0, 8)} ${title}`.trimEnd(),
    ...(actor ? [`Started by: ${actor}`] : []),
    `May approve: ${whoMay(rule)}${exceptSelf(rule)}`,
    `Until: ${timeText(until)}, after which it ${rule.onExpire === "skip" ? "is skipped" : "fails"}`,
  ];
}
