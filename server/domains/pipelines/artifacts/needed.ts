/** Artifacts for a job that needs them: which there are, and where their parts are fetched. */
import type { Readable } from "node:stream";
import type { NeededList } from "@forgeline/schemas/artifacts/job-messages.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { lostIsAbsent } from "../../../platform/objects/lost-object.ts";
import type { ObjectStore, SignedAddress } from "../../../platform/objects/object-store.ts";
import { neededRows } from "../runs/needed-jobs.ts";
import * as store from "./artifact.store.ts";
import type { ArtifactContent } from "./content.ts";
import { chosenArtifacts } from "./chosen-artifacts.ts";
import type { ArtifactMetrics } from "./metrics.ts";
import { partKey } from "./part-key.ts";
import type { UploadName } from "./uploads.ts";

export type NeededArtifacts = ReturnType<typeof createNeededArtifacts>;

const addressSeconds = 15 * 60;

export function createNeededArtifacts(deps: {
  db: Database;
  objects: ObjectStore;
  content: Pick<ArtifactContent, "readPart">;
  metrics: ArtifactMetrics;
}) {
  const { db, objects, content, metrics } = deps;

  async function find(wanted: UploadName, number: number) {
    const artifact = await store.findForJob(db, wanted);
    if (!artifact || number >= artifact.parts.length) throw new AppError("not_found");
    return artifact;
  }

  return {
    /** What the `needs` of the attempt's job ask for. Throws `not_found` without a lease. */
    async list(attemptId: string): Promise<NeededList> {
      const attempt = await store.findAttempt(db, attemptId);
      if (!attempt) throw new AppError("not_found");
      const needs = attempt.needs.filter(({ artifacts }) => artifacts !== undefined);
      const keys = needs.map(({ job }) => job);
      const rows = await store.listNeeded(db, attempt.pipeline_id, keys);
      const lists = needs.map((need) => chosenArtifacts(need, neededRows(need, rows)));
      return {
        artifacts: lists.flatMap((each) => each.artifacts),
        missing: lists.flatMap((each) => each.missing),
      };
    },
    /** Where the store itself gives the part; null: it is fetched from here. Throws `not_found`. */
    async addressOf(wanted: UploadName, number: number): Promise<SignedAddress | null> {
      const artifact = await find(wanted, number);
      const key = partKey(artifact, { number, sha256: artifact.parts[number] ?? "" });
      return (await objects.direct?.signGet(key, addressSeconds)) ?? null;
    },
    /** Throws `not_found`, also where the store has lost it. */
    async open(wanted: UploadName, number: number): Promise<Readable> {
      const artifact = await find(wanted, number);
      const part = await content.readPart(artifact, number).catch(lostIsAbsent);
      part.on("data", (piece: Buffer) => metrics.bytes.inc({ direction: "out" }, piece.length)).pause();
      return part;
    },
  };
}
