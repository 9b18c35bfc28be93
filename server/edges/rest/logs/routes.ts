/** Binds the operations on logs: pages of lines, text, newline-delimited JSON, and tickets for the watch socket. */
import { createLogStreamTicket, getPipelineLogs, logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  startPlace,
  type LogService,
  type OpenLogs,
  type TicketService,
} from "../../../domains/pipelines/domain.ts";
import { subjectOf } from "../../../platform/access/subject.ts";
import { sendLines, sendText, type LogExchange } from "./send-log.ts";

export interface LogRoutesDeps {
  logs: LogService;
  logTickets: TicketService;
  addresses: Addresses;
  /** Logs that are read as a stream count as open, like watched ones. */
  openLogs: OpenLogs;
}

export function registerLogRoutes(app: RouteBinder, deps: LogRoutesDeps): void {
  app.bindRepository(getPipelineLogs, async (input) => {
    const { params, query, repository, actor } = input;
    const selection = await deps.logs.select(repository.id, params.id, query);
    const from = startPlace(selection, query);
    input.revalidate(selection.version);
    const { view } = deps.logs;
    const format = query.format ?? formatOf(input.accept);
    if (format === "json") return { body: await view.pageOf(selection, from, query) };
    const close = deps.openLogs.hold(subjectOf(actor));
    const exchange: LogExchange = { ...input.raw, view, selection, from, tail: query.tail, turn: input.turn };
    return (format === "text" ? sendText(exchange) : sendLines(exchange)).finally(close);
  });
  app.bindRepository(createLogStreamTicket, async ({ params, repository, actor }) => {
    const issued = await deps.logTickets.issue(actor, repository.id, params.id);
    const { pipelineId, ticket, expiresAt } = issued;
    const path = `/repos/${repository.owner}/${repository.name}/pipelines/${pipelineId}/logs/stream`;
    const url = `${deps.addresses.baseUrl.replace(/^http/, "ws")}${path}`;
    const protocols = [logWatchProtocol, `ticket.${ticket}`];
    return { body: { ticket, protocols, url, expires_at: expiresAt.toISOString() }, location: url };
  });
}

/** The first of our representations that the client accepts; JSON if it accepts anything. */
export function formatOf(accept: string): "json" | "text" | "ndjson" {
  for (const entry of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) continue;
    if (type === "application/x-ndjson") return "ndjson";
    if (type === "text/plain" || type === "text/*") return "text";
    if (type === "application/json" || type === "*/*" || type === "application/*") return "json";
  }
  return "json";
}
