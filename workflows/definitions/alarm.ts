/** One timer for many limits: armed anew only for an earlier time, so that history grows by few events. */
import { CancellationScope, isCancellation, sleep } from "@temporalio/workflow";

export interface Alarm {
  /** Makes sure that `rang` turns true at `at` (milliseconds) at the latest; null asks for nothing. */
  set(at: number | null): void;
  /** True once after the time was reached; reading it resets it. */
  rang(): boolean;
}

export function createAlarm(): Alarm {
  let armedFor = Number.POSITIVE_INFINITY;
  let scope: CancellationScope | undefined;
  let ringing = false;
  return {
    set(at) {
      if (at === null || at >= armedFor) return;
      scope?.cancel();
      armedFor = at;
      scope = new CancellationScope();
      scope
        .run(() => sleep(Math.max(at - Date.now(), 1)))
        .then(() => {
          armedFor = Number.POSITIVE_INFINITY;
          ringing = true;
        })
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        });
    },
    rang() {
      const was = ringing;
      ringing = false;
      return was;
    },
  };
}
