/** Tells who watches a run, once for each gate, that it waits for people: for whom, until when, and how to approve. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { WatchedStatus } from "@forgeline/client/watch-session.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { gateNotes } from "./gate-notes.ts";
import { whoMayApprove } from "./who-may-approve.ts";

type Gate = Schemas["ApprovalGate"];
type Run = Pick<Schemas["Pipeline"], "number" | "approvals">;

export interface AwaitedApprovals {
  onStatus(status: WatchedStatus): void;
  /** Once what is known has been told. */
  settled(): Promise<void>;
}

export function createAwaitedApprovals({
  repository,
  read,
  note,
}: {
  /** `OWNER/NAME`. */
  repository: string;
  read: () => Promise<Run>;
  note: (text: string) => void;
}): AwaitedApprovals {
  const told = new Set<string>();
  let looking = Promise.resolve();
  async function look(): Promise<void> {
    const { number, approvals } = await read();
    for (const gate of approvals.filter(({ id, state }) => state === "open" && !told.has(id))) {
      told.add(gate.id);
      note(awaitedText(gate));
      if (gate.shortage !== null) note(colors.yellow(`  ${terminalSafe(gate.shortage)}`));
      for (const line of gateNotes(gate)) note(line);
      note(colors.dim(`  forgeline pipeline approve ${number} ${optionOf(gate)} -R ${repository}`));
    }
  }
  return {
    onStatus({ node, status }) {
      if (node !== "job" || status !== "awaiting_approval") return;
      // The run is watched all the same if this cannot be read.
      looking = looking.then(look).catch(() => undefined);
    },
    settled: () => looking,
  };
}

function awaitedText(gate: Gate): string {
  const { stage, job, environment, count, approvals, expires_at: until } = gate;
  const place =
    job === null ? `stage ${stage}` : `job ${job}${environment === null ? "" : ` to ${environment}`}`;
  const who = whoMayApprove(gate).replaceAll(",", ", ");
  const given = approvals.filter(({ decision, counts }) => decision === "approve" && counts).length;
  const left = given > 0 ? `${count - given} more ` : count > 1 ? `${count} ` : "";
  const what = `${left}approval${count - given > 1 ? "s" : ""} of ${place} by ${who}, until ${until}`;
  return `${colors.yellow("◦")} ${terminalSafe(`waits for ${what}:`)}`;
}

/** As `pipeline approve` takes it. */
export function optionOf({ stage, job, environment }: Gate): string {
  const place =
    job === null
      ? `--stage ${stage}`
      : `--job ${job}${environment === null ? "" : ` --environment ${environment}`}`;
  return terminalSafe(place);
}
