/**
 * `/oauth/authorize` and the sign-in on the way there, for browsers. Only the session cookie counts, and changes must come from
 * these pages. No address is ever taken from a form: the request is checked again.
 */
import { Router, type NextFunction, type Request, type Response } from "express";
import { errorHandler } from "../../platform/http/error-handler.ts";
import type { ErrorResponder } from "../../platform/http/error-response.ts";
import { redirect, sendPage } from "../../platform/http/page-answer.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/access/actor.ts";
import { anonymousActor } from "../../platform/access/actor.ts";
import {
  type IdentityService,
  type SignInService,
  type AuthorizeRequest,
  type ConsentService,
  OAuthError,
} from "../../domains/accounts/domain.ts";
import {
  csrfTokenOf,
  readSessionCookie,
  refuseForeignPage,
  sessionCookie,
} from "../../platform/credentials/session-cookie.ts";
import { signInOf } from "../http/sign-in-form.ts";
import { readForm } from "../http/form.ts";
import { consentPage, problemPage, signInPage } from "./pages.ts";

export interface AuthorizeRouterDeps {
  identity: IdentityService;
  gate: RateLimiter;
  signIn: SignInService;
  consent: ConsentService;
  errors: ErrorResponder;
  /** `https://HOST`: the origin of our own pages, and the issuer. */
  webUrl: string;
  /** Whether the web interface is served, which has its own pages to sign in and to consent. */
  hasPages: boolean;
}

export function createAuthorizeRouter(deps: AuthorizeRouterDeps): Router {
  const router = Router();
  router.get("/oauth/authorize", (req, res, next) => showRequest(deps, { req, res, next }));
  router.post("/oauth/authorize", (req, res) => decide(deps, req, res));
  router.post("/oauth/sign-in", (req, res) => signInAndReturn(deps, req, res));
  router.all(["/oauth/authorize", "/oauth/sign-in"], (req, res) => {
    res.setHeader("Allow", req.path === "/oauth/sign-in" ? "POST" : "GET, HEAD, POST");
    throw new AppError("method_not_allowed");
  });
  router.use(
    "/oauth",
    errorHandler((error, { req, res, next }) => {
      if (req.path !== "/authorize" && req.path !== "/sign-in") return next(error);
      const known =
        error instanceof OAuthError ? new AppError("bad_request", { message: error.message }) : error;
      const { status, headers, body } = deps.errors.answer(known, contextOf(res).id);
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      sendPage(res, { status, html: problemPage(body.message) });
    }),
  );
  return router;
}

function contextOf(res: Response): RequestContext {
  return res.locals["context"] as RequestContext;
}

function queryOf(req: Request): URLSearchParams {
  const at = req.originalUrl.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : req.originalUrl.slice(at + 1));
}

async function showRequest(
  deps: AuthorizeRouterDeps,
  { req, res, next }: { req: Request; res: Response; next: NextFunction },
): Promise<void> {
  res.locals["route"] = "/oauth/authorize";
  const sender = { method: "GET", headers: { cookie: req.headers.cookie } };
  const actor = await deps.identity.authenticate(sender, contextOf(res));
  await deps.gate.enter(res, actor, "core");
  const search = queryOf(req);
  const request = await judged(deps, res, search);
  if (!request) return;
  if (deps.hasPages && req.accepts(["json", "html"]) === "html") {
    next("router");
    return;
  }
  const token = readSessionCookie(req.headers.cookie);
  if (actor.sessionId === null || token === undefined) {
    sendPage(res, { status: 200, html: signInPage({ query: search.toString() }) });
    return;
  }
  const asking = { request, query: search.toString(), user: actor, csrfToken: csrfTokenOf(token) };
  sendPage(res, { status: 200, html: consentPage(asking), formTargets: [sourceOf(request.redirectUri)] });
}

/** Undefined when the answer was sent. */
async function judged(
  deps: AuthorizeRouterDeps,
  res: Response,
  search: URLSearchParams,
): Promise<AuthorizeRequest | undefined> {
  const judgement = await deps.consent.judge(search);
  if (judgement.kind === "ask") return judgement.request;
  if (judgement.kind === "show") sendPage(res, { status: 400, html: problemPage(judgement.message) });
  else redirect(res, judgement.location);
  return undefined;
}

async function decide(deps: AuthorizeRouterDeps, req: Request, res: Response): Promise<void> {
  res.locals["route"] = "/oauth/authorize";
  const form = await readForm(req);
  const actor = await signedInActor(deps, { req, res }, form.get("csrf") ?? "");
  const request = await judged(deps, res, new URLSearchParams(form.get("request") ?? ""));
  if (!request) return;
  const decision = form.get("decision");
  if (decision === "allow") redirect(res, await deps.consent.allow(actor, request));
  else if (decision === "deny") redirect(res, deps.consent.deny(request));
  else throw new AppError("bad_request", { message: "The request must be allowed or denied." });
}

async function signedInActor(
  deps: AuthorizeRouterDeps,
  { req, res }: { req: Request; res: Response },
  csrfToken: string,
): Promise<Actor> {
  const { cookie, origin } = req.headers;
  const headers = { cookie, origin, "x-csrf-token": csrfToken };
  const actor = await deps.identity.authenticate({ method: "POST", headers }, contextOf(res));
  await deps.gate.enter(res, actor, "core");
  if (actor.sessionId === null)
    throw new AppError("unauthorized", { message: "You are no longer signed in. Start again from the app." });
  return actor;
}

async function signInAndReturn(deps: AuthorizeRouterDeps, req: Request, res: Response): Promise<void> {
  res.locals["route"] = "/oauth/sign-in";
  const context = contextOf(res);
  await deps.gate.enter(res, { ...anonymousActor, request: context }, "auth");
  refuseForeignPage(req.headers, deps.webUrl);
  const form = await readForm(req);
  const query = new URLSearchParams(form.get("request") ?? "").toString();
  const username = form.get("username") ?? "";
  const given = signInOf(form);
  if (!given) {
    sendPage(res, {
      status: 400,
      html: signInPage({ query, username, problem: "Enter your name and password." }),
    });
    return;
  }
  try {
    const replaces = readSessionCookie(req.headers.cookie);
    const { token, maxAgeSeconds } = await deps.signIn.signIn(given, context, replaces);
    res.setHeader("Set-Cookie", sessionCookie(token, maxAgeSeconds));
    redirect(res, `/oauth/authorize?${query}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    sendPage(res, { status: 401, html: signInPage({ query, username, problem: error.message }) });
  }
}

/** Policies name no IPv6 address, and apps on this machine have a scheme only. */
function sourceOf(redirectUri: string): string {
  const { protocol, origin, host } = new URL(redirectUri);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && !host.startsWith("[") ? origin : protocol;
}
