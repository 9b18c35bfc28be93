/** Shells into jobs: who may open one, who has which end of it, and its end. The bytes pass through `edges/shells`. */
import type { ShellOpen } from "@forgeline/schemas/shells/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Signer } from "../../../platform/keys/signer.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { ShellSettings } from "../../../config/shells.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LogIngest } from "../logs/ingest.ts";
import { TicketActor } from "../logs/tickets.ts";
import { refusalOfJob, refusalOfMoment, refusalOfNumber } from "./may-open.ts";
import { createShellRecorder, type ShellRecorder } from "./recorder.ts";
import * as store from "./shells.store.ts";
import { createShellTickets } from "./tickets.ts";

export type { ShellEnd, Side } from "./shells.store.ts";

/** An end of which nothing was heard for so long is gone with its server. */
const silentMs = 30_000;
const sweepMs = 10_000;

export interface OpenedShell {
  id: string;
  pipelineId: string;
  job: { id: string; key: string; name: string };
  attempt: number;
  log: string;
  ticket: string;
  expiresAt: Date;
}

export interface WantedShell {
  shellId: string;
  attemptId: string;
  epoch: number;
  runnerId: string | null;
  columns: number;
  rows: number;
}

export type ShellService = ReturnType<typeof createShellService>;

export interface ShellDeps {
  db: Database;
  logs: Pick<LogIngest, "openShellStream" | "append" | "eof">;
  signer: Signer;
  settings: ShellSettings;
  metrics: Metrics;
}

export function createShellService({ db, logs, signer, settings, metrics }: ShellDeps) {
  const tickets = createShellTickets(signer);
  createGauge(metrics, "forgeline_shells_open", async (gauge) => gauge.set(await store.countAllOpen(db)));

  const endings = createCounter(metrics, "forgeline_shells_ended_total");

  async function end(shellId: string, how: store.ShellEnd): Promise<void> {
    await db.transaction(async (tx) => {
      const ended = await store.endShell(tx, shellId, how);
      if (!ended) return;
      endings.inc({ reason: how.reason });
      await tx.notify("shell", `${shellId}:ended`);
      await recordAudit(tx, actorOf(ended.actor), {
        action: "pipeline.shell_close",
        target: { type: "pipeline", id: ended.pipelineId, name: ended.name ?? "" },
        details: {
          job: ended.key,
          job_id: ended.jobId,
          attempt: ended.attempt,
          shell: shellId,
          reason: how.reason,
          seconds: ended.seconds === null ? 0 : Math.round(ended.seconds),
        },
      });
    });
  }

  async function endLost(): Promise<void> {
    for (const { id, state } of await store.findLost(db, silentMs)) await end(id, lostEnd(state));
    await store.removeParcels(db);
  }

  return {
    /** Throws `not_found`, and `conflict` with the reason where no shell may be opened in the job now. */
    open(
      actor: Actor,
      repository: RepositoryRef,
      wanted: { run: string; job: string } & ShellOpen,
    ): Promise<OpenedShell> {
      return db.transaction(async (tx) => {
        const place = await findOpenPlace(tx, repository, wanted);
        const open = await store.countOpenLocked(tx, place.attemptId, actor.userId);
        refuse(refusalOfNumber(open, settings.most));
        const id = newId("shell");
        const { ticket, hash } = tickets.issue(id);
        const stream = await logs.openShellStream(tx, place);
        const { columns, rows } = wanted;
        const askedAt = await store.insertShell(tx, {
          ...place,
          id,
          userId: actor.userId,
          actor: JSON.stringify(TicketActor.parse(actor)),
          streamId: stream.id,
          ticketHash: hash,
          columns,
          rows,
        });
        await recordAudit(tx, actor, {
          action: "pipeline.shell_open",
          target: {
            type: "pipeline",
            id: place.pipelineId,
            name: `${repository.owner}/${repository.name}#${place.number}`,
          },
          details: { job: place.key, job_id: place.jobId, attempt: place.attempt, shell: id },
        });
        tx.count("forgeline_shells_opened_total", {});
        return {
          id,
          pipelineId: place.pipelineId,
          job: { id: place.jobId, key: place.key, name: place.name },
          attempt: place.attempt,
          log: stream.name,
          ticket,
          expiresAt: new Date(askedAt.getTime() + store.ticketSeconds * 1_000),
        };
      });
    },
    /** Uses the ticket up and asks the runner for the shell; returns whose ticket it is. Undefined for one that does not open it. */
    async connectViewer(
      ticket: string,
      { shellId, pipelineId }: { shellId: string; pipelineId: string },
    ): Promise<Actor | undefined> {
      const hash = tickets.hashOf(ticket, shellId);
      if (!hash) return undefined;
      return db.transaction(async (tx) => {
        const actor = await store.connectViewer(tx, { shellId, pipelineId, hash });
        if (!actor) return undefined;
        await tx.notify("shell", `${shellId}:wanted`);
        return actorOf(actor);
      });
    },
    /** Shells that wait for their runner: this one, or all. */
    wanted: (shellId: string | null): Promise<WantedShell[]> => store.findWanted(db, shellId),
    /** What the shell shows is to be written with this. Undefined where this runner is not asked for it. */
    async connectRunner(shellId: string, runnerId: string): Promise<ShellRecorder | undefined> {
      const row = await store.connectRunner(db, shellId, runnerId);
      return row && createShellRecorder(logs, row.streamId);
    },
    /** To be called every few seconds with the ends that are here; returns which of their shells are still open. */
    see: (side: store.Side, shellIds: readonly string[]) => store.seeEnds(db, side, shellIds),
    end,
    /** How it ended; undefined while it is open. */
    endOf: (shellId: string) => store.findEnd(db, shellId),
    /** False while the parcel before was not taken. */
    putParcel: (shellId: string, parcel: { recipient: store.Side; frames: Buffer }): Promise<boolean> =>
      db.transaction(async (tx) => {
        const isPut = await store.putParcel(tx, shellId, parcel);
        if (isPut) await tx.notify("shell", `${shellId}:${parcel.recipient}`);
        return isPut;
      }),
    /** Tells the other side that it may put the next one. */
    takeParcel: (shellId: string, recipient: store.Side): Promise<Buffer | undefined> =>
      db.transaction(async (tx) => {
        const frames = await store.takeParcel(tx, shellId, recipient);
        if (frames) await tx.notify("shell", `${shellId}:${recipient === "viewer" ? "runner" : "viewer"}`);
        return frames;
      }),
    /** What is news: a side for which a parcel or room may be there, `wanted` or `ended`. Empty id: some may have been missed. */
    onChange: (listener: (shellId: string, news: string) => void) =>
      db.listen("shell", (payload) => {
        const [shellId = "", news = ""] = payload.split(":");
        listener(shellId, news);
      }),
    settings,
    periodicTasks: [
      { name: "lost_shells", everyMs: sweepMs, atStart: true, run: endLost },
    ] satisfies PeriodicTask[],
  };
}

async function findOpenPlace(
  tx: Transaction,
  repository: RepositoryRef,
  wanted: { run: string; job: string },
): Promise<store.ShellPlace & { attemptId: string; attempt: number }> {
  const place = await store.findPlace(tx, repository.id, wanted);
  if (!place) throw new AppError("not_found");
  const { job } = place;
  const sharers = job?.workspace ? await store.findSharers(tx, place.pipelineId, job.stage) : [];
  refuse(refusalOfJob({ ...place, sharers }) ?? refusalOfMoment(place));
  const { attemptId, attempt } = place;
  if (attemptId === null || attempt === null) throw new AppError("not_found");
  return { ...place, attemptId, attempt };
}

function refuse(message: string | null): void {
  if (message !== null) throw new AppError("conflict", { message });
}

function actorOf(stored: unknown): Actor {
  return { ...TicketActor.parse(stored), request: null };
}

function lostEnd(state: string): store.ShellEnd {
  const message =
    state === "asked"
      ? "The shell was not opened in time."
      : state === "connected"
        ? "The runner did not open the shell in time."
        : "A server in the middle of the shell has stopped. The job goes on; open another shell.";
  return { reason: "lost", message, exitCode: null };
}
