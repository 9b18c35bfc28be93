/**
 * Runs one contract: credential, permission, parsing, handler, answer. The order is fixed: authentication and permission come
 * before anything that could reveal what exists; the body is read last.
 */
import type { Request, RequestHandler, Response } from "express";
import { defaultBodyBytes, type RouteContract } from "@forgeline/schemas/core/route.ts";
import type { Actor } from "../../platform/access/actor.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { CookieSender } from "../../platform/credentials/session-cookie.ts";
import { subjectOf } from "../../platform/access/subject.ts";
import type { Authorizer } from "../../domains/policy/domain.ts";
import { runGitFor, type GitAsker } from "../../platform/git/processes/admission.ts";
import { claimantOf } from "../../platform/git/processes/exchange-claim.ts";
import { admit } from "../http/admit.ts";
import { bytesToCome, type BodyMemory } from "../../platform/http/body-memory.ts";
import type { EtagMaker } from "../../platform/http/etag.ts";
import { operationOf, type Idempotency, type IdempotencyRequest } from "../../platform/http/idempotency.ts";
import { currentAddress, movedRecord } from "./moved.ts";
import { pagingHeaders } from "../../platform/http/paging.ts";
import { hasBody } from "../../platform/http/json-body.ts";
import { parseBody, parseParams, parseQuery, type ParsedBody } from "../../platform/http/parse-input.ts";
import { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestSlots } from "../../platform/http/request-slots.ts";
import {
  sentByHandler,
  type Reply,
  type RepositoryGrant,
  type RouteInput,
  type TeamGrant,
} from "./route-binder.ts";

export interface BindRouteDeps {
  identity: IdentityService;
  authorizer: Authorizer;
  etags: EtagMaker;
  idempotency: Idempotency;
  gate: RateLimiter;
  slots: RequestSlots;
  bodies: BodyMemory;
  /** `https://HOST`, for addresses in headers. */
  webUrl: string;
}

type HandlerInput = Parameters<AnyHandler>[0];

/** A handler of any contract, as it is called here. */
export type AnyHandler = (
  input: RouteInput<undefined, undefined, undefined> & RepositoryGrant & TeamGrant,
) => Promise<Reply<unknown> | typeof sentByHandler | void>;

/** Ends the request with 304 from inside a handler. A single instance: its stack says nothing, and making one is expensive. */
const unchanged = new Error("not modified");

interface Exchange {
  deps: BindRouteDeps;
  contract: RouteContract;
  handler: AnyHandler;
  req: Request;
  res: Response;
  actor: Actor;
  url: URL;
  /** Whether the answer has its entity tag already. */
  isTagged: boolean;
  /** Gives back its slot among the caller's requests. */
  leave: () => void;
  /** Frees the memory that its body has. */
  freeBody: () => void;
}

const nothing = () => undefined;

/** Runs one contract, wherever its method and path are bound. */
export function routeHandler(
  contract: RouteContract,
  handler: AnyHandler,
  deps: BindRouteDeps,
): RequestHandler {
  return async (req, res) => {
    res.locals["route"] = contract.path;
    const url = new URL(req.originalUrl, deps.webUrl);
    const category = contract.rateCategory ?? "core";
    const actor = await admit(deps, { sender: withoutCookie(contract, req), res }, { url, category });
    const held = { leave: nothing, freeBody: nothing };
    const exchange: Exchange = { deps, contract, handler, req, res, actor, url, isTagged: false, ...held };
    await claimConnection(exchange);
    try {
      await respond(exchange);
    } finally {
      exchange.leave();
      exchange.freeBody();
    }
  };
}

async function respond(exchange: Exchange): Promise<void> {
  const { contract, req, url, actor } = exchange;
  const params = parseParams(contract, req);
  const granted = await authorize(exchange, params as Record<string, string>);
  const movedTo = currentAddress(
    exchange,
    granted && "repository" in granted ? granted.repository : undefined,
  );
  if (movedTo !== undefined) return send(exchange.res, movedTo);
  const query = parseQuery(contract, url.searchParams);
  const { bytes, value } = await bodyOf(exchange);
  const input = { actor, params, query, body: value, ...granted } as HandlerInput;
  await runOnce(exchange, bytes, input);
}

/** Held until the handler ends, or until a streamed answer takes its first turn or starts Git: slow readers hold none. */
async function claimConnection(exchange: Exchange): Promise<void> {
  const { deps, actor, res } = exchange;
  const subject = subjectOf(actor);
  if (!subject) return;
  exchange.leave = await deps.slots.enter(subject.key, res);
}

/** The slot of the request itself is given back first: with only one slot it would wait for itself. */
async function takeTurn({ deps, actor, res, leave }: Exchange): Promise<() => void> {
  leave();
  const subject = subjectOf(actor);
  return subject ? deps.slots.enter(subject.key, res) : nothing;
}

/** No slot is held for a client that is slow to send: others who share its address would wait for it. */
async function bodyOf(exchange: Exchange): Promise<ParsedBody> {
  const { deps, contract, req, actor } = exchange;
  if (contract.bytes || !hasBody(req)) return parseBody(contract, req);
  exchange.leave();
  const subject = subjectOf(actor);
  const max = bytesToCome(req, contract.bodyLimitBytes ?? defaultBodyBytes);
  if (subject) exchange.freeBody = deps.bodies.reserve(subject.key, max);
  const body = await parseBody(contract, req);
  await claimConnection(exchange);
  return body;
}

/** Public operations ignore cookies, so that nobody's browser can be made to call them in its user's name. */
function withoutCookie(contract: RouteContract, req: Request): CookieSender {
  if (contract.access !== "public" || contract.method === "get") return req;
  return { method: req.method, headers: { authorization: req.headers.authorization } };
}

async function authorize({ deps, contract, actor }: Exchange, params: Record<string, string>) {
  const { owner = "", repo = "", org = "", team = "" } = params;
  if (contract.access.startsWith("repo_"))
    return deps.authorizer.authorizeRepository(actor, contract, { owner, name: repo });
  if (contract.access.startsWith("org_")) return deps.authorizer.authorizeOrganization(actor, contract, org);
  if (contract.access.startsWith("team_"))
    return deps.authorizer.authorizeTeam(actor, contract, { org, team });
  deps.authorizer.authorize(actor, contract);
  return undefined;
}

async function runOnce(exchange: Exchange, bodyBytes: Buffer, input: HandlerInput): Promise<void> {
  const { deps, contract, req, res, actor } = exchange;
  const key = req.headers["idempotency-key"];
  if (contract.method !== "post" || contract.bytes || typeof key !== "string" || actor.userId === null) {
    sendCounted(exchange, await answer(exchange, input));
    return;
  }
  const request: IdempotencyRequest = {
    userId: actor.userId,
    key,
    operation: operationOf(req.path),
    bodyBytes,
  };
  const first = await deps.idempotency.begin(request);
  if (first) {
    res.setHeader("Idempotency-Replayed", "true");
    send(res, first);
    return;
  }
  try {
    const sent = await answer(exchange, input);
    if (sent !== sentByHandler) await deps.idempotency.keep(request, sent, contract.showsSecret ?? false);
    send(res, sent);
  } catch (error) {
    await deps.idempotency.forget(request).catch(() => undefined);
    throw error;
  }
}

type Sent = { status: number; headers: Record<string, string>; body: string | null } | typeof sentByHandler;

async function answer(exchange: Exchange, input: HandlerInput): Promise<Sent> {
  const { contract, handler, req, res } = exchange;
  const isGet = contract.method === "get";
  input.accept = req.headers.accept ?? "*/*";
  input.raw = { req, res };
  input.disconnected = disconnectionOf(res);
  input.turn = () => takeTurn(exchange);
  input.revalidate = revalidateOf(exchange, input.accept);
  // Set before the handler, since one with alternatives may send by itself.
  if (isGet) res.setHeader("Cache-Control", "private, no-cache");
  res.setHeader("Vary", contract.alternatives ? "Authorization, Cookie, Accept" : "Authorization, Cookie");
  try {
    const reply = await runGitFor(askerOf(exchange), () => handler(input));
    if (reply === sentByHandler) return sentByHandler;
    const built = build(exchange, reply ?? undefined, input.query);
    if (!isGet || built.body === null || exchange.isTagged) return built;
    return tag(exchange, `${built.headers["Link"] ?? ""}\0${built.body}`) ? notModified : built;
  } catch (error) {
    if (error === unchanged) return notModified;
    const moved = isGet ? movedRecord(error) : undefined;
    if (moved) return moved;
    throw error;
  }
}

/**
 * Only reads may be aborted when the client is gone. Git has its own slots; a request that waits for one does not block other
 * requests of its user.
 */
function askerOf({ actor, contract, res, leave }: Exchange): GitAsker {
  const asker = { ...claimantOf(actor), onGit: leave };
  return contract.method === "get" ? { ...asker, gone: disconnectionOf(res) } : asker;
}

/** Sets the answer's entity tag; whether the client has that content already. */
function tag({ deps, req, res, actor }: Exchange, content: string): boolean {
  const etag = deps.etags.make(actor, content);
  res.setHeader("ETag", etag);
  return deps.etags.matches(req.headers["if-none-match"], { etag, actor, content });
}

// Made outside of `answer`, so that these closures hold no more than they need: those that held its whole scope let
// every fifth request outlive its first garbage collection, and that took a tenth of all time.
function revalidateOf(exchange: Exchange, accept: string): HandlerInput["revalidate"] {
  return (version) => {
    const { pathname, search } = exchange.url;
    exchange.isTagged = true;
    if (tag(exchange, JSON.stringify([pathname, search, accept, version]))) throw unchanged;
  };
}

function disconnectionOf(res: Response): HandlerInput["disconnected"] {
  return () => goneSignal(res);
}

function goneSignal(res: Response): AbortSignal {
  if (res.closed) return AbortSignal.abort();
  const aborter = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) aborter.abort();
  });
  return aborter.signal;
}

const notModified = { status: 304, headers: {}, body: null };

function build(exchange: Exchange, reply: Reply<unknown> | undefined, query: unknown): Exclude<Sent, symbol> {
  const { contract, url } = exchange;
  const headers: Record<string, string> = { ...reply?.headers };
  if (contract.mayExist && reply?.existed) return { status: 204, headers, body: null };
  if (contract.status === 201) {
    if (!reply?.location) throw new Error(`${contract.id} answered 201 without a location`);
    headers["Location"] = reply.location;
  }
  if (contract.paginated) {
    if (reply?.total === undefined) throw new Error(`${contract.id} is paginated and gave no total`);
    Object.assign(headers, pagingHeaders(url, query as PageQuery, reply.total));
  }
  if (!contract.response) return { status: contract.status, headers, body: null };
  // Parsed, so that nothing is sent that the contract does not name.
  const body = JSON.stringify(contract.response.parse(reply?.body));
  return { status: contract.mayTakeLonger && reply?.accepted ? 202 : contract.status, headers, body };
}

/** An unchanged resource costs nothing, nor does success where only refusals count. */
function sendCounted({ deps, contract, res }: Exchange, sent: Sent): void {
  if (sent !== sentByHandler && (sent.status === 304 || contract.countsRefusalsOnly)) deps.gate.refund(res);
  send(res, sent);
}

function send(res: Response, sent: Sent): void {
  if (sent === sentByHandler) return;
  for (const [name, value] of Object.entries(sent.headers)) res.setHeader(name, value);
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-store");
  res.statusCode = sent.status;
  if (sent.body === null) return void res.end();
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(sent.body));
  res.end(sent.body);
}
