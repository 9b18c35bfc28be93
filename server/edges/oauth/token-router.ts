/** The endpoints that apps call without a browser: `/oauth/token`, `/oauth/revoke`, and the description of both (RFC 8414). */
import { Router, type Request, type Response } from "express";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { refuseQueryCredentials } from "../http/admit.ts";
import { errorHandler } from "../../platform/http/error-handler.ts";
import type { ErrorResponder } from "../../platform/http/error-response.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import type { Addresses } from "../../platform/addresses.ts";
import { AppError } from "../../platform/app-error.ts";
import { anonymousActor } from "../../platform/access/actor.ts";
import { OAuthError, type OAuthTokenService } from "../../domains/accounts/domain.ts";
import { readForm } from "../http/form.ts";

export interface TokenRouterDeps {
  gate: RateLimiter;
  oauthTokens: OAuthTokenService;
  errors: ErrorResponder;
  addresses: Addresses;
}

const described = "/.well-known/oauth-authorization-server";

export function createTokenRouter(deps: TokenRouterDeps): Router {
  const { addresses, oauthTokens } = deps;
  const router = Router();
  router.use(["/oauth/token", "/oauth/revoke", described], (_req, res, next) => {
    allowAnyOrigin(res);
    next();
  });
  router.post("/oauth/token", async (req, res) => {
    const { client, form } = await enter(deps, req, res);
    sendJson(res, 200, await oauthTokens.grant(client, form, contextOf(res)));
  });
  router.post("/oauth/revoke", async (req, res) => {
    const { client, form } = await enter(deps, req, res);
    const token = form.get("token");
    if (token === undefined) throw new OAuthError("invalid_request", "token is missing.");
    await oauthTokens.revoke(client, token, contextOf(res));
    res.setHeader("Cache-Control", "no-store");
    res.status(200).end();
  });
  router.get(described, async (_req, res) => {
    res.locals["route"] = described;
    await deps.gate.enter(res, { ...anonymousActor, request: contextOf(res) }, "public");
    res.setHeader("Cache-Control", "public, max-age=3600");
    sendJson(res, 200, metadata(addresses));
  });
  router.options(described, (_req, res) => answerPreflight(res, "GET, HEAD"));
  router.options(["/oauth/token", "/oauth/revoke"], (_req, res) => answerPreflight(res, "POST"));
  router.all(["/oauth/token", "/oauth/revoke"], (_req, res) => {
    res.setHeader("Allow", "POST, OPTIONS");
    throw new AppError("method_not_allowed");
  });
  router.use("/oauth", refusals(deps));
  return router;
}

/** Errors in the format of OAuth 2.0. */
function refusals(deps: TokenRouterDeps) {
  return errorHandler((error, { req, res }) => {
    if (req.path !== "/token" && req.path !== "/revoke") throw error;
    if (error instanceof OAuthError) sendRefusal(deps, { req, res }, error);
    else {
      const { status, headers, body } = deps.errors.answer(error, contextOf(res).id);
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      sendJson(res, status, { ...body, error_description: body.message });
    }
  });
}

/**
 * Apps without a secret may run in a page of any origin. No cookie counts at these addresses and none is requested, so
 * such a page learns nothing that its maker could not ask from elsewhere. `/oauth/authorize` has no such headers.
 */
function allowAnyOrigin(res: Response): void {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
}

/** Without `Authorization`: an app with a secret does not keep it in a page. */
function answerPreflight(res: Response, methods: string): void {
  res.setHeader("Access-Control-Allow-Methods", methods);
  res.setHeader("Access-Control-Allow-Headers", "Content-Type");
  res.setHeader("Access-Control-Max-Age", "7200");
  res.status(204).end();
}

function contextOf(res: Response): RequestContext {
  return res.locals["context"] as RequestContext;
}

/** Counted before anything is read, because secrets could be guessed here. */
async function enter(deps: TokenRouterDeps, req: Request, res: Response) {
  res.locals["route"] = req.path;
  await deps.gate.enter(res, { ...anonymousActor, request: contextOf(res) }, "auth");
  refuseQueryCredentials(new URL(req.originalUrl, deps.addresses.webUrl));
  const form = await readForm(req);
  return { form, client: await deps.oauthTokens.authenticate(req.headers.authorization, form) };
}

function sendRefusal(
  deps: TokenRouterDeps,
  { req, res }: { req: Request; res: Response },
  error: OAuthError,
): void {
  const isClient = error.code === "invalid_client";
  if (isClient && req.headers.authorization !== undefined)
    res.setHeader("WWW-Authenticate", 'Basic realm="Forgeline", charset="UTF-8"');
  sendJson(res, isClient ? 401 : 400, {
    error: error.code,
    error_description: error.message,
    message: error.message,
    documentation_url: `${deps.addresses.docsUrl}/oauth#${error.code}`,
  });
}

function sendJson(res: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  if (!res.req.complete) res.setHeader("Connection", "close");
  if (!res.hasHeader("Cache-Control"))
    res.setHeader("Cache-Control", "no-store").setHeader("Pragma", "no-cache");
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.status(status).end(text);
}

const waysToProve = ["client_secret_basic", "client_secret_post", "none"];

function metadata({ authUrl, docsUrl }: Addresses): object {
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    revocation_endpoint: `${authUrl}/oauth/revoke`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: waysToProve,
    revocation_endpoint_auth_methods_supported: waysToProve,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${docsUrl}/oauth`,
  };
}
