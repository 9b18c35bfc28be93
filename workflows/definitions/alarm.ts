/** One timer for many limits: rearmed only for an earlier time, so that history grows by few events. */
import { CancellationScope, isCancellation, sleep } from "@temporalio/workflow";

export interface Alarm {
  /** Makes sure that the alarm fires at `at` (milliseconds) at the latest; null changes nothing. */
  set(at: number | null): void;
  /** Whether it has fired since the last call. */
  takeFired(): boolean;
}

export function createAlarm(): Alarm {
  let armedFor = Number.POSITIVE_INFINITY;
  let scope: CancellationScope | undefined;
  let hasFired = false;
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
          hasFired = true;
        })
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        });
    },
    takeFired() {
      const was = hasFired;
      hasFired = false;
      return was;
    },
  };
}
