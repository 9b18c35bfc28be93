/** `/healthz`: this process answers. `/readyz`: each dependency by name; 503 when one is missing or we are stopping. */
import { Router } from "express";

export interface Readiness {
  /**
   * The probe throws, or returns false, if the dependency cannot be used now. Without an optional one the server is still
   * ready: work that needs it waits.
   */
  check(name: string, probe: () => Promise<unknown>, options?: { optional: boolean }): void;
  /** From now on `/readyz` answers 503, so that proxies send no more requests here. */
  stopping(): void;
  run(): Promise<{ ready: boolean; checks: Record<string, "ok" | "failed" | "stopping"> }>;
}

const probeTimeoutMs = 3_000;

export function createReadiness(): Readiness {
  const probes = new Map<string, { probe: () => Promise<unknown>; optional: boolean }>();
  let isStopping = false;
  return {
    check: (name, probe, options) => void probes.set(name, { probe, optional: options?.optional ?? false }),
    stopping: () => void (isStopping = true),
    async run() {
      const results = await Promise.all(
        [...probes].map(
          async ([name, { probe }]) => [name, (await succeeds(probe)) ? "ok" : "failed"] as const,
        ),
      );
      const ready =
        !isStopping && results.every(([name, result]) => result === "ok" || probes.get(name)?.optional);
      return {
        ready,
        checks: { ...Object.fromEntries(results), ...(isStopping ? { server: "stopping" } : {}) },
      };
    },
  };
}

async function succeeds(probe: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(resolve, probeTimeoutMs, false)));
  try {
    return (await Promise.race([probe(), timeout])) !== false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

export function createHealthRouter(readiness: Readiness): Router {
  const router = Router();
  router.get("/healthz", (_req, res) => {
    res.setHeader("Cache-Control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_req, res) => {
    const { ready, checks } = await readiness.run();
    res
      .status(ready ? 200 : 503)
      .setHeader("Cache-Control", "no-store")
      .json({ status: ready ? "ok" : "unavailable", checks });
  });
  return router;
}
