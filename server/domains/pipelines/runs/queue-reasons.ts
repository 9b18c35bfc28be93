/** Why attempts are still queued: computed at each read from the current runners. */
import { featureLabel } from "@forgeline/schemas/runners/feature.ts";
import { withoutPlacement } from "../placements/placement-labels.ts";
import { signedLabel } from "../runners/labels.ts";
import { reasonSentence } from "./reasons.ts";

/** A longer line is not counted: each reading of a run would pay for it. */
export const mostBefore = 100;

/** What the runners can offer a queued attempt. */
export interface QueueRow {
  /** Of the attempt. */
  id: string;
  priority: number;
  /** What its file asks for, where that is more than it has. */
  asked: number | null;
  /** How many of the repository, with the same labels, have their turn before it; counted to one more than `mostBefore`. */
  before: number;
  fitting: number;
  usable: number;
  free: number;
  /** Slots of the usable ones whose job has failed and is kept for a shell. */
  kept: number;
  /** A connected runner that serves the repository and comes closest; null where none is needed, or there is none. */
  nearest: string | null;
  /** Labels that the job asks for and the nearest does not have. */
  missing: string[] | null;
  /** Labels that the job rules out and the nearest has. */
  ruledOut: string[] | null;
  /** The runner that the jobs of its stage have; null: any, or none yet. */
  placed: string | null;
  /** The job of its stage that works in the workspace which it waits for; null: it waits for none. */
  occupant: string | null;
  /** A connected runner fits, but is in a group that the repository may not use. */
  isShut: boolean;
  /** The runner that fits and was connected last, where none is now; null: its name is not told, or there is none. */
  offline: string | null;
  /** When it was, as text; null: there is none. */
  offlineSince: string | null;
  /** Labels that the nearest wants to be asked for, and the job does not name. */
  unnamed: string[] | null;
}

type Why = { reason: string; message: string };
/** `position`: in the line of the repository, from 1; null if that is longer than what is counted. */
export type QueueReason = Why & { position: number | null };

/** By attempt id. */
export function queueReasons(rows: readonly QueueRow[]): Map<string, QueueReason> {
  return new Map(rows.map((row) => [row.id, queueReasonOf(row)]));
}

export function queueReasonOf(row: Omit<QueueRow, "id">): QueueReason {
  const { reason, message } = whyQueued(row);
  const position = row.before > mostBefore ? null : row.before + 1;
  // What no runner can take has no turn, wherever it stands; what comes first waits for no other job of its repository.
  const isInLine = reason !== "no_matching_runner" && row.free === 0 && position !== 1;
  const place = isInLine ? ` ${placeSentence(position)}${cappedSentence(row)}` : "";
  return { reason, message: `${message}${place}`, position };
}

function cappedSentence({ priority, asked }: Pick<QueueRow, "priority" | "asked">): string {
  if (asked === null) return "";
  return ` Its file asks for priority ${asked}, but the operator allows at most ${priority}.`;
}

function placeSentence(position: number | null): string {
  if (position === null) return `More than ${mostBefore} jobs of this repository are before it.`;
  return `It is ${ordinal(position)} in the queue of this repository.`;
}

function ordinal(position: number): string {
  const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
  return `${position}${endings[ordinals.select(position)] ?? "th"}`;
}
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

function whyQueued(row: Omit<QueueRow, "id">): Why {
  if (row.occupant !== null) {
    const message = `The jobs of this stage share a workspace and run one after another; ${row.occupant} has it now.`;
    return { reason: "no_free_runner", message };
  }
  if (row.free > 0) {
    return { reason: "no_free_runner", message: "A matching runner is free and has been offered the job." };
  }
  if (row.usable > 0) {
    const { reason, message } = told("no_free_runner");
    return { reason, message: `${message}${keptSentence(row.kept)}` };
  }
  if (row.fitting > 0) return told("paused");
  if (row.placed !== null) {
    const message = `The jobs of this stage run on ${row.placed}, which is not connected, has other labels now, or is in a group that this repository may not use.`;
    return { reason: "no_matching_runner", message };
  }
  if (row.isShut) return { reason: "no_matching_runner", message: shut };
  if (row.offlineSince !== null) {
    const which = row.offline === null ? "A runner that fits has" : `The runner ${row.offline} fits, but has`;
    const message = `${which} been offline since ${row.offlineSince}. No other that fits is connected.`;
    return { reason: "no_matching_runner", message };
  }
  if (row.nearest === null) {
    return { reason: "no_matching_runner", message: "No runner that can take this job is connected." };
  }
  return { reason: "no_matching_runner", message: nearestSentence(row.nearest, row) };
}

function keptSentence(kept: number): string {
  if (kept === 0) return "";
  return kept === 1
    ? " One of their slots holds a container that is kept open for a shell."
    : ` ${kept} of their slots hold containers that are kept open for a shell.`;
}

/** Not which group: that is for those who look after its runners. */
const shut =
  "Runners that fit are connected, but they are in groups that this repository may not use. Ask whoever looks after the runners.";

function told(reason: string): Why {
  return { reason, message: reasonSentence(reason) ?? reason };
}

/** What a job needs by a key of its own, which its author never wrote as a label. */
const lackedFeatures: Readonly<Record<string, string>> = {
  [featureLabel("privileged")]:
    "takes no privileged jobs (its operator can allow them with FORGELINE_RUNNER_PRIVILEGED)",
  [featureLabel("lease_v2")]:
    "is too old for what the job is given or hands over (secrets, identity tokens, caches, artifacts or reports): update it",
  [featureLabel("network_none")]:
    "cannot close a job's network (`network: none`), because it filters nothing",
  [featureLabel("network_allow")]:
    "cannot hold a job to a list of hosts (`network: { allow }`): it filters nothing, or is not in the network of its Docker daemon",
};

/** Older, for one job, or with as many stages as it may have. */
const unplaceable =
  "cannot take all jobs of a stage now (it is older, for one job only, or has too many such stages)";

function nearestSentence(
  nearest: string,
  { missing, ruledOut, unnamed }: Pick<QueueRow, "missing" | "ruledOut" | "unnamed">,
): string {
  const asked = withoutPlacement(missing ?? []);
  const labels = asked.filter((label) => lackedFeatures[label] === undefined);
  const wanted = (unnamed ?? []).filter((label) => label !== signedLabel);
  const obstacles = [
    ...(labels.length > 0 ? [`lacks ${labels.join(", ")}`] : []),
    ...asked.flatMap((label) => lackedFeatures[label] ?? []),
    ...(ruledOut?.length ? [`has ${ruledOut.join(", ")}, which the job rules out`] : []),
    ...(wanted.length > 0 ? [`only takes jobs that ask for ${wanted.join(", ")}`] : []),
    ...(wanted.length < (unnamed?.length ?? 0) ? ["takes signed jobs only, and this job is not signed"] : []),
    ...(asked.length < (missing?.length ?? 0) ? [unplaceable] : []),
  ];
  const isLabelsOnly = obstacles.length === 1 && labels.length > 0;
  const lead = isLabelsOnly ? "No runner has all the labels" : "No runner fits";
  return `${lead}; the nearest, ${nearest}, ${obstacles.join("; it ")}.`;
}
