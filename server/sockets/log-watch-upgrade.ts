/**
 * The door of the log watch socket. Origin and `Authorization` are judged by the upgrade registry; a browser brings
 * a one-use ticket as a second sub-protocol instead. Whoever may read the run's logs over REST may watch them.
 */
import { z } from "zod";
import { getPipelineLogs, logWatchPath, logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import { WebSocketServer } from "ws";
import type { Database } from "../db/database.ts";
import type { Actor } from "../features/identity/actor.ts";
import { findRun } from "../features/logs/selection.ts";
import type { TicketService } from "../features/logs/tickets.ts";
import type { Authorizer } from "../features/policy/authorize.ts";
import type { UpgradeRegistry } from "../http/upgrade.ts";
import { AppError } from "../platform/app-error.ts";
import type { LogWatchHub, WatchAccess } from "./log-watch.ts";

const maxFrameBytes = 64 * 1024;
const requirement = { access: getPipelineLogs.access, scope: getPipelineLogs.scope };

const WatchQuery = z.strictObject({
  job: z.string().max(200).optional(),
  step: z.string().max(300).optional(),
  attempt: z.coerce.number().int().min(1).optional(),
  from: z.coerce.number().int().min(0).default(0),
  resume: z.stringbool().default(false),
  zstd: z.stringbool().default(true),
});

export interface LogWatchUpgradeDeps {
  db: Database;
  hub: LogWatchHub;
  authorizer: Authorizer;
  logTickets: TicketService;
}

export function registerLogWatchSocket(registry: UpgradeRegistry, deps: LogWatchUpgradeDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    // A ticket is never sent back.
    handleProtocols: (offered) => (offered.has(logWatchProtocol) ? logWatchProtocol : false),
  });
  registry.registerUpgrade(`/api/v1${logWatchPath}`, "actor", async (upgrade, sender) => {
    const { req, socket, head, params, url } = upgrade;
    const address = { owner: params["owner"] ?? "", name: params["repo"] ?? "" };
    const ticket = ticketOf(req.headers["sec-websocket-protocol"]);
    const actor = ticket ? await redeem(deps, ticket, params["id"] ?? "") : sender;
    const { repository } = await deps.authorizer.authorizeRepository(actor, requirement, address);
    const run = await findRun(deps.db, repository.id, params["id"] ?? "");
    const query = WatchQuery.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) throw new AppError("bad_request", { message: z.prettifyError(query.error) });
    const { from, resume, zstd, ...filter } = query.data;
    sockets.handleUpgrade(req, socket, head, (ws) =>
      deps.hub.serve(ws, {
        pipelineId: run.id,
        filter,
        from,
        awaitResume: resume,
        zstd,
        access: accessOf(deps, actor, address),
      }),
    );
  });
}

function ticketOf(protocols: string | undefined): string | undefined {
  return protocols
    ?.split(",")
    .map((protocol) => /^ticket\.([\w-]{43})$/.exec(protocol.trim())?.[1])
    .find((ticket) => ticket !== undefined);
}

/** A ticket is for one run, named by its id as the ticket's answer gave it. */
async function redeem(deps: LogWatchUpgradeDeps, ticket: string, pipelineId: string): Promise<Actor> {
  const actor = await deps.logTickets.redeem(ticket, pipelineId);
  if (!actor || !(await deps.logTickets.stillValid(actor)))
    throw new AppError("unauthorized", { message: "The ticket is not valid (any more); get another one." });
  return actor;
}

function accessOf(
  deps: LogWatchUpgradeDeps,
  actor: Actor,
  address: { owner: string; name: string },
): WatchAccess {
  const who = actor.tokenId ?? actor.sessionId ?? actor.job?.attemptId ?? actor.userId ?? "anonymous";
  return {
    key: `${actor.kind}:${who}:${address.owner}/${address.name}`.toLowerCase(),
    credentialId: actor.tokenId ?? actor.sessionId,
    async check() {
      if (!(await deps.logTickets.stillValid(actor))) return false;
      try {
        await deps.authorizer.authorizeRepository(actor, requirement, address);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code !== "unavailable") return false;
        throw error;
      }
    },
  };
}
