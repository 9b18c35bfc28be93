/** Mails to those who may approve, when a gate opens. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Operation } from "../../operation/domain.ts";
import { findApprovers } from "./told.store.ts";

/** A gate that the whole instance may open is not a way to flood it with mails. */
const maxMails = 50;

export interface GateMails {
  mail: Pick<Operation["mail"], "write">;
  /** Address of the run in the web interface. */
  webUrl: string;
}

interface OpenedGate {
  gateId: string;
  rule: PlanApproval;
  /** `stage deploy`. */
  what: string;
  /** `OWNER/NAME#NUMBER`. */
  run: string;
  /** Whose protection asks for it; null: the pipeline file does. */
  environment: string | null;
}

export async function tellApprovers(
  tx: Transaction,
  { mail, webUrl }: GateMails,
  { gateId, rule, what, run, environment }: OpenedGate,
): Promise<void> {
  const subject = `Approval needed: ${what} of ${run}`;
  const said = rule.message === null ? [] : ["", ...rule.message.split("\n").map((line) => `> ${line}`)];
  const needed = rule.count === 1 ? "your approval" : `${rule.count} approvals; yours would be one of them`;
  const text = [
    `The pipeline run ${run} has reached ${what} and waits for ${needed}.`,
    ...said,
    "",
    `Look at the run, then approve or reject: ${webUrl}`,
    "",
    `You get this mail because ${environment === null ? "the pipeline file" : `the environment ${environment}`} says that you may approve.`,
  ].join("\n");
  for (const to of await findApprovers(tx, gateId, maxMails))
    await mail.write(tx, { kind: "approval_needed", to, subject, text });
}
