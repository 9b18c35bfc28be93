/** Signs of life of an activity while it works, by which Temporal tells it from one whose worker has died. */
import { Context } from "@temporalio/activity";

/**
 * Gives `work` the signal that ends it. `everyMs` is well under the heartbeat timeout; `details`, if any, tell administrators what the
 * step is about, also while it waits for its next attempt.
 */
export async function whileBeating<Result>(
  { everyMs, details }: { everyMs: number; details?: object },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const beat = () => context.heartbeat(details);
  beat();
  const heart = setInterval(beat, everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(heart);
  }
}
