/** Wakes loops that wait for something to do. */

/** Wakes one waiting loop a ring; a ring that nobody waits for is kept. Pauses are not cut short by rings. */
export function createWakeUp() {
  const waiting: (() => void)[] = [];
  const pausing: (() => void)[] = [];
  let rung = false;
  let open = false;
  const sleepIn = (list: (() => void)[], ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(answer, ms);
      function answer() {
        clearTimeout(timer);
        const at = list.indexOf(answer);
        if (at >= 0) list.splice(at, 1);
        resolve();
      }
      if (open) answer();
      else list.push(answer);
    });
  return {
    ring: () => {
      const next = waiting.at(-1);
      if (next) next();
      else rung = true;
    },
    async wait(ms: number) {
      if (!rung) await sleepIn(waiting, ms);
      rung = false;
    },
    pause: (ms: number) => sleepIn(pausing, ms),
    openForGood() {
      open = true;
      for (const answer of [...waiting, ...pausing]) answer();
    },
  };
}
