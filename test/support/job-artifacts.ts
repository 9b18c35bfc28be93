/** Artifacts as a runner brings them, without a runner: jobs by hand, with tokens of their own. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { jobArtifactsPath } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { encodeEnd, encodeHeader, encodeIndexEntry, fileMode } from "@forgeline/schemas/artifacts/zip.ts";
import type { PlanArtifact } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { PlanNeed } from "@forgeline/schemas/pipeline-file/plan.ts";
import { hashCredential } from "@forgeline/server/domains/pipelines/runners/credential.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer } from "./api-server.ts";
import { resultOf } from "./runs.ts";

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** An artifact that holds these texts. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const pieces: Buffer[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const entry = {
      path,
      sizeBytes: bytes.length,
      crc32: crc32(bytes),
      modifiedMs: 0,
      mode: fileMode,
      offset,
    };
    const header = encodeHeader(entry);
    pieces.push(header, bytes);
    index.push(encodeIndexEntry(entry));
    offset += header.length + bytes.length;
  }
  const list = Buffer.concat(index);
  return Buffer.concat([...pieces, list, encodeEnd({ count: index.length, offset, sizeBytes: list.length })]);
}

export function planArtifact(name: string, more: Partial<PlanArtifact> = {}): PlanArtifact {
  return {
    name,
    paths: ["**"],
    exclude: [],
    expireMs: 86_400_000,
    when: "success",
    required: false,
    ...more,
  };
}

export interface JobAtWork {
  pipelineId: string;
  jobId: string;
  attemptId: string;
  epoch: number;
  token: string;
}

export interface WantedJob {
  pipelineId: string;
  repositoryId: string;
  key?: string;
  matrix?: Record<string, string>;
  artifacts?: PlanArtifact[];
  needs?: PlanNeed[];
  cache?: PlanCache[];
  status?: string;
}

let made = 0;

/** A job of the run that a runner has. */
export async function jobAtWork(server: ApiServer, wanted: WantedJob): Promise<JobAtWork> {
  const { pipelineId, repositoryId, key = "build", matrix = null, ...plan } = wanted;
  const { artifacts = [], needs = null, cache = [] } = plan;
  const { db } = server.container.platform;
  made += 1;
  const [stageId, jobId, attemptId, token] = [
    newId("stg"),
    newId("job"),
    newId("att"),
    `svc_job_${made}_${pipelineId}`,
  ];
  await db.query(
    "insert into stages (id, pipeline_id, position, name, status) values ($1, $2, $3, 'main', 'running')",
    [stageId, pipelineId, made],
  );
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, matrix, combination)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $5)`,
    [jobId, pipelineId, stageId, repositoryId, made, key, wanted.status ?? "running", matrix],
  );
  const job = { pipelineId, jobId, attemptId, epoch: 1, token };
  await attemptAtWork(server, job, { repositoryId, artifacts, needs, cache, attempt: 1 });
  return job;
}

/** One more try of a job. */
export async function attemptAtWork(
  server: ApiServer,
  { jobId, pipelineId, attemptId, token }: JobAtWork,
  more: {
    repositoryId: string;
    artifacts: PlanArtifact[];
    needs?: PlanNeed[] | null;
    cache?: PlanCache[];
    attempt: number;
  },
): Promise<void> {
  await server.container.platform.db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, epoch, labels, job, token_hash, lease_renewed_at)
     values ($1, $2, $3, $4, $5, 'leased', 1, '{}', $6, $7, now())`,
    [
      attemptId,
      jobId,
      pipelineId,
      more.repositoryId,
      more.attempt,
      { artifacts: more.artifacts, needs: more.needs ?? null, cache: more.cache ?? [] },
      hashCredential(token),
    ],
  );
}

/** A question of a runner, with the token of the job. */
export function askFor(server: ApiServer, token: string, method: string, path: string, body?: unknown) {
  return server.api(method, `/${jobArtifactsPath}${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
}

/** Sends an artifact as a runner does; its id. It is not published. */
export async function bringArtifact(
  server: ApiServer,
  job: JobAtWork,
  { name, files }: { name: string; files: Readonly<Record<string, string | Buffer>> },
): Promise<string> {
  const bytes = zipOf(files);
  const count = Object.keys(files).length;
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await askFor(server, job.token, method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const { id } = await ask("POST", "/uploads", { name, size_bytes: bytes.length, files: count });
  for (let number = 0; number * partBytes < bytes.length; number += 1) {
    const part = bytes.subarray(number * partBytes, (number + 1) * partBytes);
    await ask("POST", `/uploads/${id}/parts`, { number, sha256: sha256(part) });
    await ask("PUT", `/uploads/${id}/parts/${number}/${sha256(part)}`, part);
  }
  await ask("POST", `/uploads/${id}/complete`, { sha256: sha256(bytes) });
  return id as string;
}

/** The runner's result is accepted. */
export async function endJob(
  server: ApiServer,
  { attemptId, epoch }: JobAtWork,
  artifacts: string[],
): Promise<unknown> {
  return server.container.pipelines.leases.done({ attemptId, epoch, result: resultOf({ artifacts }) });
}
