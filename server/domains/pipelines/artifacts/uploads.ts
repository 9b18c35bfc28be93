/**
 * Uploads of artifacts by the runner that has the attempt. The size is known at the beginning, so room is taken for all of it;
 * each part is announced with its SHA-256 before it is sent, straight to the object store where that can sign addresses. Every
 * call may be repeated: what is there is not sent again.
 */
import { Readable } from "node:stream";
import type { AnnouncePart, BeginUpload, PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes, partCount, sizeOfPart } from "@forgeline/schemas/artifacts/limits.ts";
import type { PlanArtifact } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import { maxUploadBytes, maxUploadFiles } from "@forgeline/schemas/reports/limits.ts";
import { reportsName } from "@forgeline/schemas/reports/manifest.ts";
import type { ArtifactLimits } from "../../../config/artifacts.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { checkedBytes } from "../../hosting/domain.ts";
import * as store from "./artifact.store.ts";
import type { ArtifactContent } from "./content.ts";
import type { ArtifactMetrics } from "./metrics.ts";
import { partKey } from "./part-key.ts";

export interface ArtifactUploadDeps {
  db: Database;
  objects: ObjectStore;
  limits: ArtifactLimits;
  content: Pick<ArtifactContent, "readIndex">;
  metrics: ArtifactMetrics;
}

/** Names an upload of one attempt. */
export interface UploadName {
  attemptId: string;
  id: string;
}

export type ArtifactUploads = ReturnType<typeof createArtifactUploads>;

const addressSeconds = 15 * 60;
const checkedAtOnce = 8;

export function createArtifactUploads({ db, objects, limits, content, metrics }: ArtifactUploadDeps) {
  async function requireRoom(tx: Transaction, upload: Parameters<typeof store.sumUse>[1], sizeBytes: number) {
    const used = await store.sumUse(tx, upload);
    if (used.job + sizeBytes > limits.jobBytes)
      throw full(
        `The artifacts of a job can have at most ${limits.jobBytes} bytes together`,
        used.job,
        sizeBytes,
      );
    if (used.repository + sizeBytes > limits.repositoryBytes)
      throw full(
        `The artifacts of a repository can have at most ${limits.repositoryBytes} bytes together`,
        used.repository,
        sizeBytes,
      );
  }

  /** Whether the store has the part, in this size and with this content. */
  async function isStored(artifact: store.UploadRow, part: AnnouncePart): Promise<boolean> {
    const key = partKey(artifact, part);
    const found = await objects.head(key);
    return found?.sizeBytes === sizeOfPart(part.number, artifact.size_bytes);
  }

  async function find(upload: UploadName): Promise<store.UploadRow> {
    return db.transaction((tx) => lock(tx, upload));
  }

  return {
    /** Throws `not_found` without a lease, `validation_failed` for a name that the job does not have, `quota_exceeded`. */
    begin(attemptId: string, wanted: BeginUpload) {
      return db.transaction(async (tx) => {
        const attempt = await store.findAttempt(tx, attemptId);
        if (!attempt) throw new AppError("not_found");
        const expireMs = lifetimeOf(attempt.artifacts, wanted);
        const { epoch, job_id: jobId, pipeline_id: pipelineId, repository_id: repositoryId } = attempt;
        const sizeBytes = wanted.size_bytes;
        await store.lockUse(tx, repositoryId);
        await requireRoom(tx, { repositoryId, attemptId, epoch, name: wanted.name }, sizeBytes);
        const place = { id: newId("art"), repositoryId, pipelineId, jobId, attemptId, epoch };
        const { name, files } = wanted;
        const parts = partCount(sizeBytes);
        const begun = await store.putUpload(tx, {
          ...place,
          name,
          sizeBytes,
          files,
          expireMs,
          parts,
        });
        if (!begun) throw new Error("an artifact was neither written nor found");
        return begun;
      });
    },
    /** Where to send a part. Throws `not_found`, `validation_failed`, and `conflict` for parts that change again and again. */
    async announce(upload: UploadName, part: AnnouncePart): Promise<PartAddress> {
      const { artifact, isKnown } = await db.transaction(async (tx) => {
        const found = await lock(tx, upload);
        if (found.sha256 !== null || part.number >= found.parts.length)
          throw refused("The artifact has no such part to send.");
        const known = found.parts[part.number] === part.sha256;
        if (!known) await keepPart(tx, found, part);
        return { artifact: found, isKnown: known };
      });
      if (isKnown && (await isStored(artifact, part))) return { stored: true, direct: null };
      const sizeBytes = sizeOfPart(part.number, artifact.size_bytes);
      const content = { sizeBytes, sha256: part.sha256 };
      const direct = await objects.direct?.signPut(partKey(artifact, part), content, addressSeconds);
      return { stored: false, direct: direct ?? null };
    },
    /** Bytes of an announced part. Throws `not_found`, `validation_failed` for other bytes, which leave nothing behind. */
    async receive(upload: UploadName, part: AnnouncePart, source: AsyncIterable<Buffer>): Promise<void> {
      const artifact = await find(upload);
      if (artifact.parts[part.number] !== part.sha256) throw new AppError("not_found");
      const sizeBytes = sizeOfPart(part.number, artifact.size_bytes);
      const bytes = checkedBytes(source, { oid: part.sha256, sizeBytes });
      await objects.put(partKey(artifact, part), Readable.from(bytes, { objectMode: false }));
      metrics.bytes.inc({ direction: "in" }, sizeBytes);
    },
    /** All parts are there. Throws `not_found`, and `validation_failed` for parts that are missing and what is no artifact. */
    async complete(upload: UploadName, sha256: string): Promise<void> {
      const artifact = await find(upload);
      if (artifact.sha256 === sha256) return;
      await requireParts(artifact, (part) => isStored(artifact, part));
      const entries = await content.readIndex(artifact).catch((error: unknown) => {
        throw error instanceof RangeError ? refused(`The artifact cannot be read: ${error.message}.`) : error;
      });
      if (entries.length !== artifact.files) throw refused("The artifact has another number of files.");
      const { id, parts } = artifact;
      if (!(await store.complete(db, { id, parts, sha256 })))
        throw new AppError("conflict", { message: "The artifact was changed meanwhile." });
      metrics.stored.inc();
      metrics.storedBytes.inc(artifact.size_bytes);
    },
  };
}

/** Of an artifact that the job declares; reports, which every job may have, go once they are read. */
function lifetimeOf(declared: readonly PlanArtifact[], wanted: BeginUpload): number {
  if (wanted.name === reportsName) {
    if (wanted.size_bytes > maxUploadBytes || wanted.files > maxUploadFiles)
      throw refused(`The reports of a job can have ${maxUploadBytes} bytes and ${maxUploadFiles} files.`);
    return 0;
  }
  const artifact = declared.find(({ name }) => name === wanted.name);
  if (!artifact) throw refused(`The job has no artifact called ${wanted.name}.`);
  return artifact.expireMs;
}

async function lock(tx: Transaction, upload: UploadName): Promise<store.UploadRow> {
  const found = await store.lockUpload(tx, upload);
  if (!found) throw new AppError("not_found");
  return found;
}

/** What is announced once more, because a file was still changing, is counted: nobody fills the store with it. */
async function keepPart(tx: Transaction, artifact: store.UploadRow, part: AnnouncePart): Promise<void> {
  const announcedBytes = artifact.announced_bytes + sizeOfPart(part.number, artifact.size_bytes);
  if (announcedBytes > 2 * artifact.size_bytes + partBytes)
    throw new AppError("conflict", {
      message: "The files of this artifact keep changing while they are uploaded.",
    });
  const parts = artifact.parts.with(part.number, part.sha256);
  await store.keepParts(tx, { id: artifact.id, parts, announcedBytes });
}

async function requireParts(
  artifact: store.UploadRow,
  isStored: (part: AnnouncePart) => Promise<boolean>,
): Promise<void> {
  const left = artifact.parts.entries();
  const worker = async () => {
    for (const [number, sha256] of left)
      if (sha256 === "" || !(await isStored({ number, sha256 }))) throw refused(`Part ${number} is missing.`);
  };
  await Promise.all(Array.from({ length: checkedAtOnce }, worker));
}

function refused(message: string): AppError {
  return new AppError("validation_failed", { message });
}

function full(limit: string, usedBytes: number, sizeBytes: number): AppError {
  return new AppError("quota_exceeded", {
    message: `${limit}; ${usedBytes} are taken, and this one has ${sizeBytes}.`,
  });
}
