/** Binds the operations on logs: pages of lines, text, newline-delimited JSON, and tickets for the watch socket. */
import type { LogQuery } from "@forgeline/schemas/logs/resource.ts";
import { createLogStreamTicket, getPipelineLogs, logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import { sentByHandler, type RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  type OpenLogs,
  startPlace,
  type LogSelection,
  type Place,
  type LogService,
  type TicketService,
  finish,
  presentLine,
  type LogView,
} from "../../../domains/pipelines/domain.ts";
import { subjectOf } from "../../../platform/access/subject.ts";
import { sendLines, sendText, type LogExchange } from "./send-log.ts";

const defaultPageLines = 1000;

export interface LogRoutesDeps {
  logs: LogService;
  logTickets: TicketService;
  addresses: Addresses;
  /** Logs that are read as a stream count as open, as those that are watched. */
  openLogs: OpenLogs;
}

export function registerLogRoutes(app: RouteBinder, deps: LogRoutesDeps): void {
  const { view } = deps.logs;
  app.bindRepository(getPipelineLogs, async (input) => {
    const { params, query, repository, actor, raw } = input;
    const run = await deps.logs.findRun(repository.id, params.id);
    const selection = await deps.logs.select(run, query);
    const from = startPlace(selection, query);
    input.revalidate(selection.version);
    const format = query.format ?? formatOf(input.accept);
    if (format === "json") return { body: await jsonPage(view, { selection, from, query }) };
    const close = deps.openLogs.hold(subjectOf(actor));
    try {
      const exchange: LogExchange = { ...raw, view, selection, turn: input.turn };
      await sendWhole(exchange, { format, from, query });
    } finally {
      close();
    }
    return sentByHandler;
  });
  app.bindRepository(createLogStreamTicket, async ({ params, repository, actor }) => {
    const run = await deps.logs.findRun(repository.id, params.id);
    const { ticket, expiresAt } = await deps.logTickets.issue(run.id, actor);
    const path = `/repos/${repository.owner}/${repository.name}/pipelines/${run.id}/logs/stream`;
    const url = `${deps.addresses.baseUrl.replace(/^http/, "ws")}${path}`;
    const protocols = [logWatchProtocol, `ticket.${ticket}`];
    return { body: { ticket, protocols, url, expires_at: expiresAt.toISOString() }, location: url };
  });
}

async function jsonPage(
  view: LogView,
  { selection, from, query }: { selection: LogSelection; from: Place; query: LogQuery },
) {
  if (query.tail === undefined) return view.page(selection, from, query.limit ?? defaultPageLines);
  const last = await view.tail(selection, query.tail);
  const end = last.at(-1);
  const next = end ? { index: end.index, offset: end.line.end } : from;
  return finish(selection, last.map(presentLine), next);
}

async function sendWhole(
  exchange: LogExchange,
  { format, from, query }: { format: "text" | "ndjson"; from: Place; query: LogQuery },
): Promise<void> {
  const { view, selection } = exchange;
  if (format === "text") return textAnswer(exchange, from, query);
  const { tail } = query;
  return sendLines(
    exchange,
    tail === undefined ? view.lines(selection, from) : await view.tail(selection, tail),
  );
}

async function textAnswer(exchange: LogExchange, from: Place, query: LogQuery): Promise<void> {
  const { view, selection } = exchange;
  let place = from;
  if (query.tail !== undefined) {
    const [first] = await view.tail(selection, query.tail);
    if (first) place = { index: first.index, offset: first.line.start };
  }
  const before = selection.streams.slice(0, place.index).reduce((sum, stream) => sum + stream.next_offset, 0);
  await sendText(exchange, Math.min(before + place.offset, selection.totalBytes));
}

/** The first representation of ours that the client names; JSON when it takes anything. */
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
