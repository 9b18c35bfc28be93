/**
 * What a runner and the server say about artifacts of a job: JSON over HTTPS below `jobArtifactsPath`, with the job's own token.
 * `docs/architecture/artifacts.md` tells the order.
 */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { artifactNamePattern } from "../pipelines/artifact-name.ts";
import { reportsName } from "../reports/manifest.ts";
import { maxArtifactBytes, maxArtifactFiles } from "./limits.ts";

export const jobArtifactsPath = "/-/job-artifacts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(artifactNamePattern);
const sizeBytes = z.int().min(1).max(maxArtifactBytes);
const number = z.int().min(0).max(1_000);

/** `POST /uploads`: the whole size is known before the first byte is sent. */
export const BeginUpload = z.strictObject({
  name: z.union([name, z.literal(reportsName)]),
  size_bytes: sizeBytes,
  files: z.int().min(1).max(maxArtifactFiles),
});
export type BeginUpload = z.infer<typeof BeginUpload>;
export const BegunUpload = z.object({
  id: idOf("art"),
  /** All of it is there already: an earlier try got that far. */
  complete: z.boolean(),
});

/** `POST /uploads/ID/parts` */
export const AnnouncePart = z.strictObject({ number, sha256 });
export type AnnouncePart = z.infer<typeof AnnouncePart>;
export const PartAddress = z.object({
  /** The store has it already. */
  stored: z.boolean(),
  /** Where the store itself takes it; null: `PUT /uploads/ID/parts/NUMBER/SHA256` of the server. */
  direct: z.object({ href: z.string(), headers: z.record(z.string(), z.string()) }).nullable(),
});
export type PartAddress = z.infer<typeof PartAddress>;

/** `POST /uploads/ID/complete` */
export const CompleteUpload = z.strictObject({ sha256 });

/** `POST /needed`: what the job's `needs` ask for. */
export const NeededArtifact = z.object({
  id: idOf("art"),
  /** Key of its job, with the values of a combination. */
  job: z.string(),
  name,
  size_bytes: sizeBytes,
  files: z.int(),
  /** SHA-256 of each part. */
  parts: z.array(sha256),
});
export type NeededArtifact = z.infer<typeof NeededArtifact>;
export const NeededList = z.object({
  /** In the order in which they are to be put into the workspace. */
  artifacts: z.array(NeededArtifact),
  missing: z.array(z.object({ job: z.string(), name: z.string(), optional: z.boolean() })),
});
export type NeededList = z.infer<typeof NeededList>;

/** `POST /artifacts/ID/parts/NUMBER`; `direct` null: `GET` of the same address. */
export const PartSource = z.object({ direct: PartAddress.shape.direct });
