/**
 * Fetches the interface. When a file of it does not come, which leaves a page empty, the page is loaded again as soon as the
 * server answers: a browser does not ask again for a part of a script that it has failed to get.
 */
const triesKey = "forgeline-boot-tries";
const maxWaitMs = 15_000;

import("./main.tsx").then(
  () => sessionStorage.removeItem(triesKey),
  () => void loadAnew(),
);

async function loadAnew(): Promise<void> {
  const tries = Number(sessionStorage.getItem(triesKey) ?? 0);
  sessionStorage.setItem(triesKey, String(tries + 1));
  do await passed(Math.min(500 * 2 ** tries, maxWaitMs));
  while (!(await fetch("/healthz", { cache: "no-store" }).catch(() => undefined)));
  window.location.reload();
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
