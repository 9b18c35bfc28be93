/** How long each job waited, was queued, was set up and ran: spans on one timeline. */
import { isOver } from "../../ui/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Phase = "waiting" | "queue" | "setup" | "run";

export interface PhaseSpan {
  phase: Phase;
  attempt: number;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

type Attempt = Pick<
  Schemas["RunAttempt"],
  "attempt" | "queued_at" | "started_at" | "finished_at" | "status" | "queue_time"
> & { steps: readonly Pick<Schemas["RunStep"], "started_at">[] };

/** `begin`: when its run began to count. What is in progress, also waiting for a first attempt, lasts until `now`. */
export function phaseSpans(
  { attempts, status }: { attempts: readonly Attempt[]; status: Schemas["Status"] },
  begin: number,
  now: number,
): PhaseSpan[] {
  if (attempts.length === 0 && !isOver(status))
    return [{ phase: "waiting", attempt: 1, from: begin, to: now }];
  const spans: PhaseSpan[] = [];
  let free = begin;
  for (const one of attempts) {
    const { attempt } = one;
    const end = timeOf(one.finished_at) ?? now;
    const queued = Math.max(free, timeOf(one.queued_at) ?? free);
    const started = timeOf(one.started_at);
    const taken = started ?? end;
    const working = Math.min(...one.steps.map((step) => timeOf(step.started_at) ?? end), end);
    const add = (phase: Phase, from: number, to: number) => {
      if (to > from) spans.push({ phase, attempt, from, to });
    };
    add("waiting", free, queued);
    add("queue", queued, taken);
    if (started !== null) add("setup", started, working);
    add("run", working, end);
    free = Math.max(free, end);
  }
  return spans;
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
