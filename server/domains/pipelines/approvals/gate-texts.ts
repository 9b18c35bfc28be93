/** What people are told about a gate. Pure. */
import { leastLevel, type ApprovalLevel } from "@forgeline/schemas/approvals/level.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { GoingBack } from "../environments/going-back.store.ts";
import type { GatePlace } from "./gates.store.ts";

const maxNames = 8;

const levelNames: Record<ApprovalLevel, string> = { write: "Write", maintain: "Maintain", admin: "Admin" };

/** `ada or a member of acme/release`, `anyone with Write`, `ada or anyone with Maintain`. */
export function whoMay(rule: PlanApproval): string {
  const { approvers } = rule;
  const level = leastLevel(rule);
  const shown = approvers
    .slice(0, maxNames)
    .map((name) => (name.includes("/") ? `a member of ${name}` : name));
  const more = approvers.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  if (level !== null) shown.push(`anyone with ${levelNames[level]}`);
  return shown.length === 1 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1) ?? ""}`;
}

/** `but not by …`, where somebody is left out. */
export function exceptSelf({ allowSelf }: PlanApproval): string {
  return allowSelf ? "" : ", but not by who started the run or wrote the commit";
}

/** `given`: how many have approved. */
export function awaitedText(rule: PlanApproval, environment: string | null = null, given = 0): string {
  const left = Math.max(rule.count - given, 1);
  const more = given > 0 ? `${left} more ` : left > 1 ? `${left} ` : "";
  const what = `${more}approval${left > 1 ? "s" : ""}`;
  const to = environment === null ? "" : ` to deploy to ${environment}`;
  return `Waits for ${what}${to} by ${whoMay(rule)}${exceptSelf(rule)}.`;
}

/** Where fewer may approve than have to, and what can be done. */
export function shortageText(rule: PlanApproval, able: number, environment: string | null): string {
  const who = able === 0 ? "Nobody" : able === 1 ? "Only one person" : `Only ${able} people`;
  const needed = rule.count === 1 ? "one approval" : `${rule.count} approvals`;
  const others = leastLevel(rule) === null ? "" : ", besides administrators of the instance";
  const what = environment === null ? "the pipeline file" : `the protection of ${environment}`;
  return `${who} may approve now${others}, and it needs ${needed}. Let more people approve (by access to the repository or membership of a team), or cancel the run, change ${what} and start it again.`;
}

/** `2026-03-01 09:30 UTC`. */
export function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** At a gate that only time opens. */
export function waitText(environment: string | null, until: Date | null): string {
  const when = until ? timeText(until) : "later";
  return `Waits until ${when}, because the environment ${environment} asks for a wait before each deployment.`;
}

export function refusedText(rule: PlanApproval, place: GatePlace): string {
  return `You may not approve ${placeText(place)}. Approval is given by ${whoMay(rule)}${exceptSelf(rule)}.`;
}

export function rejectedText(username: string | null, comment: string | null): string {
  const by = username === null ? "Its approval was rejected" : `Rejected by ${username}`;
  return comment ? `${by}: ${comment}` : `${by}.`;
}

export function goingBackText({
  environment,
  to,
  number,
  sha,
  asked_by: by,
}: GoingBack & { to: string }): string {
  const asked = by === null ? "" : `, asked for by ${by}`;
  return `This rolls ${environment} back to commit ${to.slice(0, 8)}: it replaces run #${number} (commit ${sha.slice(0, 8)})${asked}.`;
}

/** `stage deploy`, `job ship`, `job ship to production`. */
export function placeText({ stage, job, environment }: GatePlace): string {
  if (environment !== null) return `job ${job ?? ""} to ${environment}`;
  return job === null ? `stage ${stage}` : `job ${job}`;
}
