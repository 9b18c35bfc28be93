/** Queries Temporal about its workflows. Each throws `unavailable` while Temporal does not answer. */
import { WorkflowNotFoundError, type Client } from "@temporalio/client";
import type {
  WorkFailure,
  WorkKind,
  WorkState,
  WorkStateFilter,
} from "@forgeline/schemas/background-work/resource.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { grpcCodeOf, grpcCodes, isTemporalUnavailable } from "../../../platform/temporal-errors.ts";
import type { WorkCursors } from "./cursors.ts";
import { failureChain, redactMessage } from "./failures.ts";
import { kindOf, knownKinds, workflowNames, type KnownKind } from "./kinds.ts";
import { pendingSteps, type PendingStep } from "./pending-steps.ts";
import { timeOf } from "./proto-times.ts";

export interface Execution {
  id: string;
  execution: string;
  kind: WorkKind;
  state: WorkState;
  startedAt: Date;
  endedAt: Date | null;
}

export interface Described extends Execution {
  steps: PendingStep[];
}

export type Executions = ReturnType<typeof createExecutions>;

/** By Temporal's number; workflows that continued as new are not shown, because their successors are. */
const states: Record<number, WorkState> = {
  1: "running",
  2: "completed",
  3: "failed",
  4: "cancelled",
  5: "terminated",
  7: "timed_out",
};
const statusNames: Record<WorkState, string> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Canceled",
  terminated: "Terminated",
  timed_out: "TimedOut",
};
const statesOf = (filter: WorkStateFilter | undefined): WorkState[] => {
  if (filter === undefined) return Object.values(states);
  return filter === "unsuccessful" ? ["failed", "timed_out", "terminated"] : [filter];
};

/** Runs calls; `unavailable` while Temporal is away, `not_found` for what it does not know. */
export async function asked<T>(temporal: Temporal, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await temporal.call(work);
  } catch (error) {
    if (isTemporalUnavailable(error))
      throw new AppError("unavailable", {
        message: "Temporal is not responding; background work is paused until it is back.",
        cause: error,
      });
    if (error instanceof WorkflowNotFoundError || grpcCodeOf(error) === grpcCodes.notFound)
      throw new AppError("not_found", { cause: error });
    throw error;
  }
}

interface RawInfo {
  execution?: { workflowId?: string | null; runId?: string | null } | null;
  type?: { name?: string | null } | null;
  status?: number | null;
  startTime?: Parameters<typeof timeOf>[0];
  closeTime?: Parameters<typeof timeOf>[0];
}

function executionOf(info: RawInfo): Execution {
  return {
    id: info.execution?.workflowId ?? "",
    execution: info.execution?.runId ?? "",
    kind: kindOf(info.type?.name ?? ""),
    state: states[info.status ?? 0] ?? "completed",
    startedAt: timeOf(info.startTime) ?? new Date(0),
    endedAt: timeOf(info.closeTime),
  };
}

export interface ListedPart {
  kind?: KnownKind | undefined;
  state?: WorkStateFilter | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface ExecutionsDeps {
  temporal: Temporal;
  taskQueue: string;
  cursors: WorkCursors;
}

export function createExecutions({ temporal, taskQueue, cursors }: ExecutionsDeps) {
  const ours = `TaskQueue = '${taskQueue.replaceAll("'", "''")}'`;

  async function list(part: ListedPart): Promise<{ executions: Execution[]; next: string | null }> {
    const query = [
      ours,
      `ExecutionStatus IN (${statesOf(part.state)
        .map((state) => `'${statusNames[state]}'`)
        .join(", ")})`,
      ...(part.kind ? [`WorkflowType = '${workflowNames[part.kind]}'`] : []),
    ].join(" AND ");
    const nextPageToken = part.cursor === undefined ? undefined : cursors.read(part.cursor);
    const page = await asked(temporal, (client) =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        pageSize: part.limit,
        query,
        ...(nextPageToken ? { nextPageToken } : {}),
      }),
    );
    const next = cursors.write(page.nextPageToken ?? new Uint8Array());
    return { executions: (page.executions ?? []).map(executionOf), next };
  }

  /** Throws `not_found`, also for what belongs to another installation. */
  async function describe(id: string, execution?: string): Promise<Described> {
    const answer = await asked(temporal, (client) =>
      client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId: id, ...(execution === undefined ? {} : { runId: execution }) },
      }),
    );
    const info = answer.workflowExecutionInfo;
    if (!info || info.taskQueue !== taskQueue) throw new AppError("not_found");
    const found = executionOf(info);
    // Temporal also names what was pending at the end.
    return { ...found, steps: found.state === "running" ? pendingSteps(answer) : [] };
  }

  /** Undefined for what Temporal does not know, or that belongs to another installation. */
  async function find(id: string, execution?: string): Promise<Described | undefined> {
    try {
      return await describe(id, execution);
    } catch (error) {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    }
  }

  /** Why it failed; empty if it did not. */
  async function failureOf({ id, execution }: Execution): Promise<WorkFailure[]> {
    const answer = await asked(temporal, (client) =>
      client.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId: id, runId: execution },
        // Only the last event.
        historyEventFilterType: 2,
      }),
    );
    const event = answer.history?.events?.at(-1);
    const ended = event?.workflowExecutionTerminatedEventAttributes;
    if (ended) return [{ type: "terminated", message: redactMessage(ended.reason ?? "") }];
    if (event?.workflowExecutionTimedOutEventAttributes) return [{ type: "timed_out", message: "" }];
    return failureChain(event?.workflowExecutionFailedEventAttributes?.failure);
  }

  /** The error of the last decision; empty if it succeeded. */
  async function decisionFailureOf({ id, execution }: Execution): Promise<WorkFailure[]> {
    const answer = await asked(temporal, (client) =>
      client.workflowService.getWorkflowExecutionHistoryReverse({
        namespace: client.options.namespace,
        execution: { workflowId: id, runId: execution },
        maximumPageSize: 10,
      }),
    );
    const events = answer.history?.events ?? [];
    const decided = events.findIndex((event) => event.workflowTaskCompletedEventAttributes);
    const since = decided < 0 ? events : events.slice(0, decided);
    return failureChain(
      since.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes
        ?.failure,
    );
  }

  async function count(kind: KnownKind): Promise<{ kind: WorkKind; state: WorkState; count: number }[]> {
    const query = `${ours} AND WorkflowType = '${workflowNames[kind]}' GROUP BY ExecutionStatus`;
    const { groups } = await asked(temporal, (client) => client.workflow.count(query));
    return groups.flatMap((group) => {
      const name = String(group.groupValues[0]);
      const state = Object.values(states).find((each) => statusNames[each] === name);
      return state ? [{ kind, state, count: group.count }] : [];
    });
  }

  return {
    list,
    describe,
    find,
    failureOf,
    decisionFailureOf,
    counts: async () => (await Promise.all(knownKinds.map(count))).flat(),
  };
}
