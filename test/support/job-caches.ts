/** Caches as a runner brings them, without a runner. The job is made by `jobAtWork`. */
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { jobCachesPath } from "@forgeline/schemas/caches/job-messages.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { ApiServer } from "./api-server.ts";
import { insertRun } from "../security/access-matrix/places.ts";
import { jobAtWork, sha256, type JobAtWork } from "./job-artifacts.ts";

export function planCache(key: string, more: Partial<PlanCache> = {}): PlanCache {
  return { key, restore: [], paths: ["deps"], policy: "pull-push", scope: "branch", ...more };
}

export interface WantedCacheJob {
  ref?: string;
  trust?: "own" | "fork" | "unknown_author";
  cache?: PlanCache[];
}

let runs = 0;

/** A job of a new run that a runner has. */
export async function cacheJob(
  server: ApiServer,
  { repositoryId, userId }: { repositoryId: string; userId: string },
  { ref = "refs/heads/main", trust = "own", cache = [planCache("k")] }: WantedCacheJob,
): Promise<JobAtWork & { number: number }> {
  runs += 1;
  const pipelineId = await insertRun(server, { repositoryId, userId, number: runs, status: "success" });
  const change = "update pipelines set ref = $2, trust = $3 where id = $1";
  await server.container.platform.db.query(change, [pipelineId, ref, trust]);
  return { ...(await jobAtWork(server, { pipelineId, repositoryId, cache })), number: runs };
}

/** A question of a runner, with the token of the job. */
export function askCaches(
  server: Pick<ApiServer, "api">,
  token: string,
  method: string,
  path: string,
  body?: unknown,
) {
  return server.api(method, `/${jobCachesPath}${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
}

/** Sends a cache as a runner does. `id` is empty where there was one already. */
export async function bringCache(
  server: Pick<ApiServer, "api">,
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
