/** Caches as a runner brings them, without a runner. The job is made by `jobAtWork`. */
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { jobCachesPath } from "@forgeline/schemas/caches/job-messages.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { ApiServer } from "./api-server.ts";
import { sha256, type JobAtWork } from "./job-artifacts.ts";

export function planCache(key: string, more: Partial<PlanCache> = {}): PlanCache {
  return { key, restore: [], paths: ["deps"], policy: "pull-push", scope: "branch", ...more };
}

/** A question of a runner, with the token of the job. */
export function askCaches(server: ApiServer, token: string, method: string, path: string, body?: unknown) {
  return server.api(method, `/${jobCachesPath}${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
}

/** Sends a cache as a runner does. `id` is empty where there was one already. */
export async function bringCache(
  server: ApiServer,
  job: Pick<JobAtWork, "token">,
  { key, bytes, position = 0 }: { key: string; bytes: Buffer; position?: number },
): Promise<{ id: string; saved: boolean }> {
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await askCaches(server, job.token, method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const { id } = await ask("POST", "/entries", { position, key });
  if (id === null) return { id: "", saved: false };
  let parts = 0;
  for (; parts * partBytes < bytes.length; parts += 1) {
    const part = bytes.subarray(parts * partBytes, (parts + 1) * partBytes);
    const announced = { number: parts, sha256: sha256(part), size_bytes: part.length };
    await ask("POST", `/entries/${id}/parts`, announced);
    await ask("PUT", `/entries/${id}/parts/${parts}/${sha256(part)}`, part);
  }
  const { saved } = await ask("POST", `/entries/${id}/complete`, { parts });
  return { id: id as string, saved: saved as boolean };
}
