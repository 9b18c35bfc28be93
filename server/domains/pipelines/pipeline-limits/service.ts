/** Limits of pipelines: administrators of the instance set them for the instance and for single organizations. */
import { pipelineLimitNames, type PipelineLimitName } from "@forgeline/schemas/pipeline-limits/limits.ts";
import type { PipelineLimit, PipelineLimitsSet } from "@forgeline/schemas/pipeline-limits/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import { presentLimits } from "./present.ts";
import * as store from "./pipeline-limits.store.ts";

export interface PipelineLimitService {
  /** Of the organization, or (null) of the instance. Throws `not_found`. */
  get(organization: string | null): Promise<PipelineLimit[]>;
  /** Replaces all that are set there; safe to repeat. Throws `not_found`. */
  set(actor: Actor, organization: string | null, wanted: PipelineLimitsSet): Promise<PipelineLimit[]>;
  /** What holds there. */
  ofRepository(repositoryId: string): Promise<PipelineLimit[]>;
}

export interface PipelineLimitsDeps {
  db: Database;
  /** What the configuration says: the default of `step_log_mib`. */
  stepLogBytes: number;
}

export function createPipelineLimits({ db, stepLogBytes }: PipelineLimitsDeps): PipelineLimitService {
  const show = (rows: readonly store.SetLimitRow[]) =>
    presentLimits(rows, Math.floor(stepLogBytes / 1024 ** 2));

  async function read(from: Queryable, place: Place): Promise<PipelineLimit[]> {
    return show(await store.ofOrganization(from, place.id));
  }

  return {
    get: async (organization) => read(db, await placeOf(db, organization)),
    set: (actor, organization, wanted) =>
      db.transaction(async (tx) => {
        const place = await placeOf(tx, organization);
        await store.hold(tx);
        const before = await read(tx, place);
        const limits = pipelineLimitNames.flatMap((name): [PipelineLimitName, number][] => {
          const value = wanted[name];
          return value === undefined ? [] : [[name, value]];
        });
        await store.put(tx, place.id, limits);
        const level = place.id === null ? "instance" : "organization";
        const old = before.filter((limit) => limit.set_by === level);
        await recordAudit(tx, actor, {
          action: "admin.pipeline_limits_change",
          target: place.target,
          details: {
            old_limits: Object.fromEntries(old.map(({ name, value }) => [name, value])),
            limits: Object.fromEntries(limits),
          },
        });
        return read(tx, place);
      }),
    ofRepository: async (repositoryId) => show(await store.ofRepository(db, repositoryId)),
  };
}

interface Place {
  id: string | null;
  target: AuditEntry["target"];
}

async function placeOf(from: Queryable, organization: string | null): Promise<Place> {
  if (organization === null) return { id: null, target: { type: "instance", id: "", name: "instance" } };
  const found = await store.findOrganization(from, organization);
  if (!found) throw new AppError("not_found");
  return { id: found.id, target: { type: "organization", ...found } };
}
