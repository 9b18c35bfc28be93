/**
 * The upgrade of the log watch socket. Origin and `Authorization` are judged by the upgrade registry; a browser brings
 * a one-use ticket as a second sub-protocol instead. Whoever may read the run's logs over REST may watch them, as many at
 * one time as they have places.
 */
import { z } from "zod";
import { getPipelineLogs, logWatchPath, logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import type { WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import { WebSocketServer, type WebSocket } from "ws";
import type { Actor } from "../../platform/access/actor.ts";
import {
  retryAfterSeconds,
  type OpenLogs,
  type LogService,
  type TicketService,
} from "../../domains/pipelines/domain.ts";
import { subjectOf } from "../../platform/access/subject.ts";
import type { Authorizer } from "../../domains/policy/domain.ts";
import type { Upgrade, UpgradeRegistry } from "../http/upgrade.ts";
import { AppError } from "../../platform/app-error.ts";
import { pieces } from "../../platform/sockets/piece-limits.ts";
import { endSocket } from "../../platform/sockets/end-socket.ts";
import type { LogWatchHub, WatchAccess, WatchRequest } from "./hub.ts";

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
  logs: Pick<LogService, "findRun">;
  hub: LogWatchHub;
  authorizer: Authorizer;
  logTickets: TicketService;
  openLogs: OpenLogs;
}

export function registerLogWatchSocket(registry: UpgradeRegistry, deps: LogWatchUpgradeDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    ...pieces.viewer,
    // A ticket is never sent back.
    handleProtocols: (offered) => (offered.has(logWatchProtocol) ? logWatchProtocol : false),
  });
  const handler = async (upgrade: Upgrade, actor: Actor) => {
    const request = await requestOf(deps, upgrade, actor);
    const { req, socket, head } = upgrade;
    const place = holdPlace(deps, actor);
    if (place.busy && req.headers.authorization !== undefined) throw place.busy;
    // Events of the connection itself: a failed handshake creates no WebSocket, but its place must be freed.
    socket.once("close", place.leave);
    sockets.handleUpgrade(req, socket, head, (ws) => {
      if (place.busy) sendAway(ws, place.busy);
      else deps.hub.serve(ws, request);
    });
  };
  registry.registerUpgrade(
    `/api/v1${logWatchPath}`,
    {
      authentication: "actor",
      redeem: async ({ req, params }) => {
        const ticket = ticketOf(req.headers["sec-websocket-protocol"]);
        return ticket === undefined ? undefined : redeem(deps, ticket, params["id"] ?? "");
      },
    },
    handler,
  );
}

async function requestOf(
  deps: LogWatchUpgradeDeps,
  { params, url }: Upgrade,
  actor: Actor,
): Promise<WatchRequest> {
  const address = { owner: params["owner"] ?? "", name: params["repo"] ?? "" };
  const { repository } = await deps.authorizer.authorizeRepository(actor, requirement, address);
  const run = await deps.logs.findRun(repository.id, params["id"] ?? "");
  const query = WatchQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success) throw new AppError("bad_request", { message: z.prettifyError(query.error) });
  const { from, resume, zstd, ...filter } = query.data;
  const access = accessOf(deps, actor, address);
  return { pipelineId: run.id, filter, from, awaitResume: resume, zstd, access };
}

function holdPlace(deps: LogWatchUpgradeDeps, actor: Actor): { leave: () => void; busy?: AppError } {
  try {
    return { leave: deps.openLogs.hold(subjectOf(actor)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { leave: () => undefined, busy: error };
  }
}

/** A browser does not show its page why a handshake failed: the page is told here, and when to come back. */
function sendAway(ws: WebSocket, { message }: AppError): void {
  // The error no longer matters, but without a listener it would end the process.
  ws.on("error", () => undefined);
  ws.send(JSON.stringify({ t: "busy", message, retry_after: retryAfterSeconds } satisfies WatchMessage));
  endSocket(ws, closeCodes.too_many_open, "too many logs are open");
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
    throw new AppError("unauthorized", { message: "The ticket is invalid or expired; request another one." });
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
