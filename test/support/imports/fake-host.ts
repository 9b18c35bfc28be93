/** The API of another host beside its Git: answers by path, pages of lists, and whatever a test says instead. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GitSource } from "../git-source.ts";

export type HostAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FakeHost {
  /** Paths below the API without the query, in the order in which they were asked for. */
  asked: string[];
  tokens: Set<string>;
  /** Comes first; true: it has answered. */
  instead: HostAnswer;
}

export function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

interface HostOptions {
  at: string;
  lists: Record<string, unknown>;
  perPage?: number;
  /** Further pages are refused, as by GitHub. */
  maxPages?: number;
  /** Of the list with this end: its next pages are named by cursors. */
  withCursors?: string;
}

/** `lists` by path; what is not there is 404. Lists are cut into pages of `perPage`, however many are asked for. */
export function serveHost(
  source: GitSource,
  { at, lists, perPage = 2, maxPages = Infinity, withCursors }: HostOptions,
): FakeHost {
  const host: FakeHost = { asked: [], tokens: new Set(), instead: () => false };
  source.answer = (request, response, usual) => {
    const url = new URL(request.url ?? "/", source.url);
    if (!url.pathname.startsWith(at)) return usual();
    const path = decodeURIComponent(url.pathname.slice(at.length));
    host.asked.push(path);
    host.tokens.add(request.headers.authorization ?? "");
    if (host.instead(request, response)) return undefined;
    const found = lists[path];
    if (found === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      return void response.end('{"message":"Not Found"}');
    }
    if (!Array.isArray(found)) return json(response, found);
    const isNewest = /sort=desc|direction=desc/.test(url.search);
    const numbers = url.searchParams.getAll("iids[]").map(Number);
    const wanted = found.filter(
      (each: { iid?: number }) => numbers.length === 0 || numbers.includes(each.iid ?? 0),
    );
    const all: unknown[] = isNewest ? wanted.toReversed() : changedSince(url.searchParams, wanted);
    const page = Number(url.searchParams.get("after") ?? url.searchParams.get("page") ?? 1);
    if (page > maxPages && !url.searchParams.has("after")) return void response.writeHead(422).end();
    const size = isNewest ? 1 : perPage;
    if (withCursors && path.endsWith(withCursors)) url.searchParams.set("after", String(page + 1));
    const next = page * size < all.length ? { link: `<${url.href}>; rel="next"` } : { link: "" };
    return json(response, all.slice((page - 1) * size, page * size), next);
  };
  return host;
}

function changedSince(query: URLSearchParams, list: { updated_at?: string }[]): unknown[] {
  const since = query.get("since");
  if (since === null) return list;
  const time = ({ updated_at: at = "2038-01-01" }) => Date.parse(at);
  return list.filter((each) => time(each) >= Date.parse(since)).toSorted((a, b) => time(a) - time(b));
}
