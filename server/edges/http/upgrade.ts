/**
 * WebSocket upgrades: features register a path, the credential is parsed here as for every other entry point. Browsers send
 * `Origin`; without one an `Authorization` header is required, with a foreign one the upgrade is refused. Openings have their
 * own limit, which counts identified callers by account, not by a shared address.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { CookieSender } from "../../platform/credentials/session-cookie.ts";
import { rateLimitExceeded, type RateLimits } from "../../domains/operation/domain.ts";
import { subjectOf } from "../../platform/access/subject.ts";
import type { AddressRanges } from "../../platform/network/address-ranges.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Locate } from "../../platform/geo.ts";
import { refuseQueryCredentials } from "./admit.ts";
import type { ErrorResponder } from "../../platform/http/error-response.ts";
import { compilePath, type PathPattern } from "../../platform/http/path-pattern.ts";
import { createRequestContext, type RequestContext } from "../../platform/http/request-context.ts";
import { writeAndClose } from "../../platform/http/write-and-close.ts";

export interface Upgrade {
  req: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  params: Record<string, string>;
  url: URL;
  context: RequestContext;
}

export interface UpgradeRegistry {
  /**
   * `path` as in contracts, from the root (`/api/v1/…`). With `authentication: "actor"` the handler gets the actor of
   * the Authorization header (or an anonymous one), or the one that `redeem` finds in a one-use ticket; with `"own"` it
   * looks at the header itself (runners). A handler that throws before the upgrade is answered like a REST request.
   */
  registerUpgrade(
    path: string,
    options: { authentication: "actor"; redeem?: Redeem },
    handler: (upgrade: Upgrade, actor: Actor) => Promise<void> | void,
  ): void;
  registerUpgrade(
    path: string,
    options: { authentication: "own" },
    handler: (upgrade: Upgrade) => Promise<void> | void,
  ): void;
  /** The `upgrade` listener of the server. */
  handle(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The actor of the request's ticket; undefined if it has none. Throws for an invalid one. */
export type Redeem = (upgrade: Upgrade) => Promise<Actor | undefined>;

interface Registered {
  pattern: PathPattern;
  authentication: "actor" | "own";
  handler: (upgrade: Upgrade, actor: Actor) => Promise<void> | void;
  redeem: Redeem | undefined;
}

/** A refused opening counts this many times: guessing gets fewer attempts than watching. */
const refusedCost = 10;

export interface UpgradeDeps {
  identity: IdentityService;
  rateLimits: Pick<RateLimits, "take">;
  trustedProxies: AddressRanges;
  locate: Locate;
  errors: ErrorResponder;
  webUrl: string;
}

export function createUpgradeRegistry(deps: UpgradeDeps): UpgradeRegistry {
  const registered: Registered[] = [];

  async function run(
    { req, socket, head }: { req: IncomingMessage; socket: Duplex; head: Buffer },
    context: RequestContext,
  ): Promise<void> {
    if (!context.secure) throw new AppError("https_required");
    const stranger: Actor = { ...anonymousActor, request: context };
    const url = URL.parse(req.url ?? "/", deps.webUrl);
    for (const entry of url ? registered : []) {
      const params = url && entry.pattern.match(url.pathname);
      if (!params) continue;
      const upgrade = { req, socket, head, params, url, context };
      if (entry.authentication === "actor") return open(deps, entry, upgrade);
      await countRefusals(deps, stranger, () => checkHandshake(upgrade, deps.webUrl));
      await entry.handler(upgrade, stranger);
      return;
    }
    await countRefusals(deps, stranger, () => {
      throw new AppError("not_found");
    });
  }

  return {
    registerUpgrade(
      path: string,
      { authentication, redeem }: { authentication: "actor" | "own"; redeem?: Redeem },
      handler: Registered["handler"],
    ) {
      registered.push({ pattern: compilePath(path), authentication, handler, redeem });
    },
    handle(req, socket, head) {
      const context = createRequestContext(req, deps.trustedProxies, deps.locate);
      // Until a WebSocket library takes over, an error on the socket has no other listener.
      const ignore = () => undefined;
      socket.on("error", ignore);
      run({ req, socket, head }, context).then(
        () => socket.off("error", ignore),
        (error: unknown) => refuse(socket, deps.errors, { error, requestId: context.id }),
      );
    },
  };
}

/** Sockets look at no cookie: a browser brings a one-use ticket. */
function withoutCookie(req: IncomingMessage): CookieSender {
  return { method: req.method, headers: { authorization: req.headers.authorization } };
}

/** Counted against the actor of the credential or ticket; until that is known, against the address. */
async function open(deps: UpgradeDeps, { handler, redeem }: Registered, upgrade: Upgrade): Promise<void> {
  const { req, context } = upgrade;
  const stranger: Actor = { ...anonymousActor, request: context };
  const actor = await countRefusals(deps, stranger, async () => {
    checkHandshake(upgrade, deps.webUrl);
    const named = await redeem?.(upgrade);
    if (named) return { ...named, request: context };
    return deps.identity.authenticate(withoutCookie(req), context);
  });
  await countRefusals(deps, actor, async () => {
    await count(deps, actor, 1);
    await handler(upgrade, actor);
  });
}

/** Runs `work`; a refusal counts against `actor`. */
async function countRefusals<T>(deps: UpgradeDeps, actor: Actor, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await count(deps, actor, refusedCost);
    throw error;
  }
}

/** A mistake of the client that was not counted yet. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code === "rate_limit_exceeded") return false;
  return errorCatalogue[error.code].status < 500;
}

async function count(deps: UpgradeDeps, actor: Actor, cost: number): Promise<void> {
  const subject = subjectOf(actor);
  const taken = subject && (await deps.rateLimits.take("sockets", subject, cost));
  if (taken && !taken.allowed) throw rateLimitExceeded(taken.status);
}

function checkHandshake({ req, url }: Upgrade, webUrl: string): void {
  checkOrigin(req, webUrl);
  refuseQueryCredentials(url);
}

function checkOrigin(req: IncomingMessage, webUrl: string): void {
  const { origin } = req.headers;
  if (origin === undefined) {
    if (req.headers.authorization === undefined) throw new AppError("unauthorized");
  } else if (origin !== webUrl)
    throw new AppError("forbidden", { message: "This origin is not allowed to open sockets." });
}

/** Answers an upgrade request with an error and closes. */
export function refuse(
  socket: Duplex,
  errors: ErrorResponder,
  { error, requestId }: { error: unknown; requestId: string },
): void {
  const { status, headers, body } = errors.answer(error, requestId);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${body.error satisfies ErrorCode}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  writeAndClose(socket, `${lines.join("\r\n")}\r\n\r\n${text}`);
}
