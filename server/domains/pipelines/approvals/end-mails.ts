/** Mails to whoever started a run, when a gate has ended without letting it pass: they may have looked away long ago. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { GateMails } from "./gate-mails.ts";
import { exceptSelf, placeText, timeText, whoMay } from "./gate-texts.ts";
import type { GatePlace } from "./gates.store.ts";
import { findStarter, type StarterRow } from "./told.store.ts";

export interface EndedGate {
  gateId: string;
  rule: PlanApproval;
  place: GatePlace;
  /** `OWNER/NAME#NUMBER`. */
  run: string;
  /** null: its time is over. */
  rejected: { userId: string; username: string; comment: string } | null;
}

/** Nobody is told of their own rejection, nor who cannot see the repository any more. Call it once for each gate. */
export async function tellStarter(
  tx: Transaction,
  { mail, webUrl }: Pick<GateMails, "mail" | "webUrl">,
  gate: EndedGate,
): Promise<void> {
  const { gateId, rule, place, run, rejected } = gate;
  const starter = await findStarter(tx, gateId);
  if (!starter || starter.id === rejected?.userId) return;
  const what = placeText(place);
  const end = rule.onExpire === "skip" && !rejected ? "is skipped" : "fails";
  const why = rejected ? `was rejected by ${rejected.username}` : "was not approved in time";
  const comment = rejected?.comment ? ["", `> ${rejected.comment}`] : [];
  const text = [
    `The pipeline run ${run}, which you started, does not get past ${what}: it ${why}, so it ${end}.`,
    ...comment,
    "",
    ...factsOf(gate, starter),
    "",
    `Look at the run: ${webUrl}`,
    "",
    "You get this mail because you started the run, or ran it again.",
  ].join("\n");
  const [kind, title] = rejected
    ? (["approval_rejected", "Rejected"] as const)
    : (["approval_expired", "Not approved in time"] as const);
  await mail.write(tx, { kind, to: starter.email, subject: `${title}: ${what} of ${run}`, text });
}

/** One a line; what does not apply is left out. */
function factsOf({ rule, place, run, rejected }: EndedGate, starter: StarterRow): string[] {
  const { ref, sha, title, expires_at: until } = starter;
  const named = ref.replace(/^refs\/(?:heads|tags)\//, "");
  return [
    `Repository: ${run.slice(0, run.lastIndexOf("#"))}`,
    `Stage: ${place.stage}`,
    `${ref.startsWith("refs/tags/") ? "Tag" : "Branch"}: ${named}`,
    `Commit: ${sha.slice(0, 8)} ${title}`.trimEnd(),
    ...(rejected ? [] : [`Could be approved until: ${timeText(until)}`, ...couldBy(rule)]),
  ];
}

function couldBy(rule: PlanApproval): string[] {
  const count = rule.count === 1 ? "by" : `${rule.count} times, by`;
  return [`Could be approved ${count}: ${whoMay(rule)}${exceptSelf(rule)}`];
}
