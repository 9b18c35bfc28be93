/** Links of spans to what is in other traces, or in none. Pure. */
import { spanIdOf, traceIdOf, type RunSnapshot, type TracedRun } from "../../pipelines/domain.ts";
import type { Span } from "./span.ts";
import type { DeliveryRow } from "./traces.store.ts";

type Link = Span["links"][number];

export function linkToDelivery(delivery: DeliveryRow): Link {
  return {
    traceId: traceIdOf(delivery.id, 1),
    spanId: spanIdOf(delivery.id),
    attributes: {
      "forgeline.link": "webhook_delivery",
      "forgeline.delivery.id": delivery.id,
      "forgeline.webhook.id": delivery.webhook_id,
      "forgeline.delivery.event": `${delivery.event}.${delivery.action}`,
      "forgeline.delivery.status": delivery.status,
    },
  };
}

/** Of the run to what began this sequence: to the one before, or to the job of another run that started it. */
export function linksToOrigin({ id, sequence }: RunSnapshot, { startedBy }: TracedRun): Link[] {
  if (sequence > 1) return [linkToRun({ id, sequence: sequence - 1 }, "rerun_of")];
  if (!startedBy) return [];
  const { pipelineId, sequence: inSequence, attemptId } = startedBy;
  return [
    {
      traceId: traceIdOf(pipelineId, inSequence),
      spanId: spanIdOf(attemptId),
      attributes: { "forgeline.link": "started_by", "forgeline.parent.run.id": pipelineId },
    },
  ];
}

/** Of an attempt of a job to the runs that it has started. */
export function linksToStarted(attemptId: string, { started }: TracedRun): Link[] {
  return started
    .filter((run) => run.attemptId === attemptId)
    .map(({ pipelineId: id }) => linkToRun({ id, sequence: 1 }, "started"));
}

function linkToRun({ id, sequence }: { id: string; sequence: number }, link: "rerun_of" | "started"): Link {
  return {
    traceId: traceIdOf(id, sequence),
    spanId: spanIdOf(id, sequence),
    attributes: {
      "forgeline.link": link,
      ...(link === "started" ? { "forgeline.child.run.id": id } : {}),
    },
  };
}
