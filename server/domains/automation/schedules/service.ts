/** Schedules as the administrators of repositories set them up. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import {
  maxManualSchedules,
  type Schedule,
  type ScheduleCreate,
  type ScheduleRun,
  type ScheduleUpdate,
} from "@forgeline/schemas/schedules/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { reachOf } from "../../../platform/access/reach.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import { actorOf, type ScheduledRuns } from "../../pipelines/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { changeOf, inFile, storedOf, type Changer } from "./change.ts";
import { presentSchedule, presentScheduleRun } from "./present.ts";
import { insertRun, listRuns } from "./schedule-runs.store.ts";
import * as store from "./schedules.store.ts";

export interface ScheduleService {
  list(repository: RepositoryRef, page: PageQuery): Promise<{ items: Schedule[]; total: number }>;
  /** Throws `not_found`; so do the following but `create`. */
  get(repository: RepositoryRef, id: string): Promise<Schedule>;
  /** Throws `validation_failed`, and `conflict` for a name that is taken, and past the most. */
  create(actor: Actor, repository: RepositoryRef, wanted: ScheduleCreate): Promise<Schedule>;
  /** Throws as `create`, and `conflict` for what a file lists. */
  update(
    actor: Actor,
    repository: RepositoryRef,
    change: { id: string; wanted: ScheduleUpdate },
  ): Promise<Schedule>;
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
  /** Throws `validation_failed` where its branch or its file is gone. */
  run(actor: Actor, repository: RepositoryRef, id: string): Promise<Pipeline>;
  history(
    repository: RepositoryRef,
    id: string,
    page: PageQuery,
  ): Promise<{ items: ScheduleRun[]; total: number }>;
}

export interface ScheduleServiceDeps {
  db: Database;
  addresses: Addresses;
  runs: ScheduledRuns;
  pipelines: { show(pipelineId: string): Promise<Pipeline> };
}

export function createScheduleService(deps: ScheduleServiceDeps): ScheduleService {
  const { db, addresses, runs } = deps;

  async function find(repository: RepositoryRef, id: string): Promise<store.ScheduleRow> {
    const row = await store.findSchedule(db, repository.id, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  const get = async (repository: RepositoryRef, id: string) =>
    presentSchedule(await find(repository, id), { repository, addresses });

  /** Throws `validation_failed` where it could start nothing now. */
  async function check({ id, repositoryId, name, ref, file, ...given }: store.StoredSchedule) {
    const { inputs, variables, ownerId, reach } = given;
    const reader = actorOf(ownerId, { repositoryId, reach });
    const request = { repositoryId, ref, pipeline: file, inputs, variables, reader };
    await runs.prepare({ ...request, schedule: { id, name }, origin: null, user: null });
  }

  return {
    async list(repository, page) {
      const { rows, total } = await store.listSchedules(db, repository.id, page);
      return { items: rows.map((row) => presentSchedule(row, { repository, addresses })), total };
    },
    get,
    async create(actor, repository, wanted) {
      const id = newId("sched");
      const made = storedOf(wanted, { id, repositoryId: repository.id, ...changerOf(actor) });
      await check(made);
      await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        if ((await store.countManual(tx, repository.id)) >= maxManualSchedules)
          throw new AppError("conflict", { message: `There can be at most ${maxManualSchedules} of them.` });
        await refuseRival(tx, made);
        await store.insertSchedule(tx, made);
        const details = { cron: made.cron, timezone: made.timezone };
        await record(tx, { actor, repository, schedule: made }, { action: "schedule.create", details });
        await tx.notify("schedule", "");
      });
      return get(repository, id);
    },
    async update(actor, repository, { id, wanted }) {
      const before = await find(repository, id);
      const { after, changed } = changeOf(before, wanted, changerOf(actor));
      if (changed.some((name) => name === "ref" || name === "pipeline" || name === "inputs"))
        await check(after);
      await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        await requireUnchanged(tx, before);
        if (before.source === "manual") await refuseRival(tx, after);
        await store.updateSchedule(tx, after);
        await record(
          tx,
          { actor, repository, schedule: after },
          { action: "schedule.update", details: { changed } },
        );
        await tx.notify("schedule", "");
      });
      return get(repository, id);
    },
    async remove(actor, repository, id) {
      const row = await find(repository, id);
      if (row.source === "file") throw new AppError("conflict", { message: inFile(row) });
      await db.transaction(async (tx) => {
        if (!(await store.lockSchedule(tx, repository.id, id))) throw new AppError("not_found");
        await store.deleteSchedule(tx, repository.id, id);
        await record(tx, { actor, repository, schedule: row }, { action: "schedule.delete", details: {} });
      });
    },
    async run(actor, repository, id) {
      const row = await find(repository, id);
      const user = { id: userIdOf(actor), username: actor.username };
      const { name, ref, file: pipeline, inputs, variables } = row;
      const request = { repositoryId: repository.id, ref, pipeline, inputs, variables, reader: actor };
      const create = await runs.prepare({ ...request, schedule: { id, name }, origin: null, user });
      const pipelineId = await db.transaction(async (tx) => {
        if (!(await store.lockSchedule(tx, repository.id, id))) throw new AppError("not_found");
        const run = await create(tx);
        if (!run) throw new AppError("not_found");
        const became = { cause: "manual", status: "started", dueAt: new Date() } as const;
        await insertRun(tx, { ...became, scheduleId: id, pipelineId: run.id, userId: user.id });
        const details = { pipeline_id: run.id };
        await record(tx, { actor, repository, schedule: row }, { action: "schedule.run", details });
        return run.id;
      });
      return deps.pipelines.show(pipelineId);
    },
    async history(repository, id, page) {
      await find(repository, id);
      const { rows, total } = await listRuns(db, id, page);
      return { items: rows.map((row) => presentScheduleRun(row, { repository, addresses })), total };
    },
  };
}

async function refuseRival(tx: Transaction, schedule: store.StoredSchedule): Promise<void> {
  if (await store.hasRival(tx, schedule))
    throw new AppError("conflict", { message: "There is a schedule of this name already." });
}

/** Throws `conflict` where somebody else has changed it since it was read. */
async function requireUnchanged(tx: Transaction, before: store.ScheduleRow): Promise<void> {
  const now = await store.lockSchedule(tx, before.repository_id, before.id);
  if (!now) throw new AppError("not_found");
  if (now.updated_at.getTime() !== before.updated_at.getTime())
    throw new AppError("conflict", { message: "It was changed in the meantime; read it again." });
}

async function record(
  tx: Transaction,
  {
    actor,
    repository,
    schedule,
  }: { actor: Actor; repository: RepositoryRef; schedule: { id: string; name: string } },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    target: { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` },
    details: { schedule_id: schedule.id, name: schedule.name, ...details },
  });
}

function changerOf(actor: Actor): Changer {
  return { ownerId: userIdOf(actor), reach: reachOf(actor) };
}
