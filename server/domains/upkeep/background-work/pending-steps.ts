/** What a workflow waits for in Temporal: its activities, and its next decision. */
import { RepositoryInput } from "@forgeline/schemas/maintenance/workflow.ts";
import type { WorkStep } from "@forgeline/schemas/background-work/resource.ts";
import { failureChain, type RawFailure } from "./failures.ts";
import { timeOf } from "./proto-times.ts";

export interface PendingStep extends Omit<WorkStep, "repository" | "since" | "next_attempt_at"> {
  /** Temporal's id, by which it can be retried now; null for decisions. */
  activityId: string | null;
  repositoryId: string | null;
  since: Date;
  nextAttemptAt: Date | null;
}

type Time = Parameters<typeof timeOf>[0];

interface RawActivity {
  activityId?: string | null;
  activityType?: { name?: string | null } | null;
  state?: number | null;
  attempt?: number | null;
  maximumAttempts?: number | null;
  scheduledTime?: Time;
  lastStartedTime?: Time;
  nextAttemptScheduleTime?: Time;
  lastFailure?: RawFailure | null;
  heartbeatDetails?: { payloads?: { data?: Uint8Array | null }[] | null } | null;
}

interface RawDescription {
  pendingActivities?: RawActivity[] | null;
  pendingWorkflowTask?: {
    state?: number | null;
    attempt?: number | null;
    scheduledTime?: Time;
    startedTime?: Time;
  } | null;
}

/** Temporal's numbers for activities that a worker has, that are to be cancelled, and that are paused. */
const activityStates: Record<number, WorkStep["state"]> = {
  2: "running",
  3: "cancelling",
  4: "paused",
  5: "paused",
};
const decisionStarted = 2;

export function pendingSteps({
  pendingActivities,
  pendingWorkflowTask: task,
}: RawDescription): PendingStep[] {
  const steps = (pendingActivities ?? []).map(stepOf);
  if (!task) return steps;
  const attempt = task.attempt ?? 1;
  const isTaken = task.state === decisionStarted;
  const waiting = attempt > 1 ? "waiting_for_retry" : "waiting_for_worker";
  return [
    ...steps,
    {
      name: "decision",
      activityId: null,
      repositoryId: null,
      state: isTaken ? "running" : waiting,
      attempt,
      attempts_allowed: null,
      since: timeOf(isTaken ? task.startedTime : task.scheduledTime) ?? new Date(0),
      nextAttemptAt: null,
      failure: [],
    },
  ];
}

function stepOf(activity: RawActivity): PendingStep {
  const nextAttemptAt = timeOf(activity.nextAttemptScheduleTime);
  const waiting = nextAttemptAt ? "waiting_for_retry" : "waiting_for_worker";
  const state = activityStates[activity.state ?? 0] ?? waiting;
  const started = state === "running" || state === "cancelling" ? timeOf(activity.lastStartedTime) : null;
  return {
    name: activity.activityType?.name ?? "",
    activityId: activity.activityId ?? null,
    repositoryId: repositoryOf(activity),
    state,
    attempt: activity.attempt ?? 1,
    attempts_allowed: activity.maximumAttempts || null,
    since: started ?? timeOf(activity.scheduledTime) ?? new Date(0),
    nextAttemptAt,
    failure: failureChain(activity.lastFailure),
  };
}

/** Told by its heartbeat. */
function repositoryOf({ heartbeatDetails }: RawActivity): string | null {
  const [payload] = heartbeatDetails?.payloads ?? [];
  if (!payload?.data) return null;
  try {
    const told = RepositoryInput.safeParse(JSON.parse(Buffer.from(payload.data).toString("utf8")));
    return told.success ? told.data.repositoryId : null;
  } catch {
    return null;
  }
}

/** Whether it waits for a time or a worker, and can be retried now. */
export function mayBeTriedNow({ activityId, state }: PendingStep): boolean {
  return activityId !== null && (state === "waiting_for_retry" || state === "paused");
}
