/** Uploads one artifact in parts, several at a time. May be called again after a crash: parts that are there are not sent again. */
import { createHash } from "node:crypto";
import { BegunUpload, PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { maxArtifactBytes, maxIndexBytes, sizeOfPart } from "@forgeline/schemas/artifacts/limits.ts";
import { z } from "zod";
import { persist, type ArtifactConnection } from "./artifact-connection.ts";
import { ArtifactError } from "./artifact-error.ts";
import { sha256Of } from "./part-hash.ts";
import { inParts, sendParts } from "./parts.ts";
import type { FoundFile } from "./workspace-files.ts";
import { writeZip, zipSize } from "./write-zip.ts";

export interface ArtifactUpload {
  name: string;
  workspace: string;
  files: readonly FoundFile[];
  connection: ArtifactConnection;
  signal: AbortSignal;
}

/** Its id, once the server has all of it. Throws `ArtifactError`, or the reason of the signal. */
export async function uploadArtifact(upload: ArtifactUpload): Promise<{ id: string; sizeBytes: number }> {
  const { name, files, connection, signal } = upload;
  const { sizeBytes, indexBytes } = zipSize(files);
  if (indexBytes > maxIndexBytes)
    throw new ArtifactError(
      "The paths of its files are too long all together. Pack the files into an archive.",
    );
  if (sizeBytes > maxArtifactBytes)
    throw new ArtifactError(`It has ${sizeBytes} bytes; at most ${maxArtifactBytes} are possible.`);
  const { id, complete } = await connection.ask("/uploads", {
    body: { name, size_bytes: sizeBytes, files: files.length },
    answer: BegunUpload,
    signal,
  });
  if (complete) return { id, sizeBytes };
  const sha256 = await sendArtifact(upload, { id, sizeBytes });
  await connection.ask(`/uploads/${id}/complete`, { body: { sha256 }, answer: z.object({}), signal });
  return { id, sizeBytes };
}

/** The SHA-256 of the whole. Rejects with the first failure, once nothing is under way any more. */
async function sendArtifact(
  upload: ArtifactUpload,
  artifact: { id: string; sizeBytes: number },
): Promise<string> {
  const hash = createHash("sha256");
  const parts = inParts(writeZip(upload.workspace, upload.files), (number) =>
    sizeOfPart(number, artifact.sizeBytes),
  );
  await sendParts(parts, upload.signal, (part, signal) => {
    hash.update(part.bytes);
    return sendPart({ ...upload, signal }, artifact.id, part);
  });
  return hash.digest("hex");
}

async function sendPart(
  { connection, signal }: Pick<ArtifactUpload, "connection" | "signal">,
  id: string,
  { number, bytes }: { number: number; bytes: Buffer },
): Promise<void> {
  const sha256 = await sha256Of(bytes);
  await persist(signal, async () => {
    const body = { number, sha256 };
    const { stored, direct } = await connection.ask(`/uploads/${id}/parts`, {
      body,
      answer: PartAddress,
      signal,
    });
    if (!stored)
      await connection.put({ path: `/uploads/${id}/parts/${number}/${sha256}`, direct }, bytes, signal);
  });
  await connection.kept?.keep(sha256, bytes);
}
