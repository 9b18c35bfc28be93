/**
 * `/login/sso`, for browsers: to an organization's provider, back from it, and the steps after it. A cookie ties each sign-in
 * to its browser; forms must come from these pages.
 */
import { Router, type Request, type Response } from "express";
import { idOf, ownerName } from "@forgeline/schemas/core/ids.ts";
import { errorHandler } from "../../platform/http/error-handler.ts";
import type { ErrorResponder } from "../../platform/http/error-response.ts";
import { redirect, sendPage } from "../../platform/http/page-answer.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { AppError } from "../../platform/app-error.ts";
import { anonymousActor } from "../../platform/access/actor.ts";
import { type IdentityService, OAuthError } from "../../domains/accounts/domain.ts";
import {
  readSessionCookie,
  refuseForeignPage,
  sessionCookie,
} from "../../platform/credentials/session-cookie.ts";
import { readForm } from "../http/form.ts";
import { signInOf } from "../http/sign-in-form.ts";
import {
  type BrowserRequest,
  type CompletedSignIn,
  type SsoArrivalService,
  bindingCookie,
  endedBindingCookie,
  readBindingCookie,
  type SsoSignInService,
} from "../../domains/organizations/domain.ts";
import { nextPath } from "./next-path.ts";
import { organizationPage, questionPage, ssoProblemPage, type FormState } from "./pages.ts";

export interface SsoRouterDeps {
  ssoSignIn: SsoSignInService;
  ssoArrivals: SsoArrivalService;
  identity: IdentityService;
  gate: RateLimiter;
  errors: ErrorResponder;
  /** `https://HOST`: the origin of our own pages. */
  webUrl: string;
}

const accountPath = "/login/sso-account";

export function createSsoRouter(deps: SsoRouterDeps): Router {
  const router = Router();
  router.use("/login", (req, _res, next) => {
    // A HEAD request must not use up what works once.
    if (req.method !== "GET" && req.method !== "POST") throw new AppError("method_not_allowed");
    next();
  });
  router.get("/login/sso", (req, res) => askOrganization(deps, req, res));
  router.get("/login/sso/:org", (req, res) => begin(deps, req, res));
  router.get("/login/sso/callback/:id", (req, res) => land(deps, req, res));
  router.get(accountPath, (req, res) => showQuestion(deps, { req, res }, { status: 200 }));
  router.post(`${accountPath}/:answer`, (req, res) => answer(deps, req, res));
  router.use(
    "/login",
    errorHandler((error, { res }) => {
      const known =
        error instanceof OAuthError ? new AppError("bad_request", { message: error.message }) : error;
      const { status, headers, body } = deps.errors.answer(known, contextOf(res).id);
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      sendPage(res, { status, html: ssoProblemPage(sentence(body)) });
    }),
  );
  return router;
}

/** With errors of fields, if there were no others. */
function sentence({ message, errors }: { message: string; errors?: { message: string }[] | undefined }) {
  return errors?.map((each) => each.message).join(" ") ?? message;
}

function contextOf(res: Response): RequestContext {
  return res.locals["context"] as RequestContext;
}

async function enter(
  deps: SsoRouterDeps,
  res: Response,
  { route, category }: { route: string; category: "web" | "auth" },
): Promise<void> {
  res.locals["route"] = route;
  await deps.gate.enter(res, { ...anonymousActor, request: contextOf(res) }, category);
}

function queryOf(req: Request): URLSearchParams {
  const at = req.originalUrl.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : req.originalUrl.slice(at + 1));
}

async function askOrganization(deps: SsoRouterDeps, req: Request, res: Response): Promise<void> {
  await enter(deps, res, { route: "/login/sso", category: "web" });
  const query = queryOf(req);
  const next = nextPath(query.get("next"), deps.webUrl);
  const organization = query.get("organization")?.trim() ?? "";
  if (ownerName.safeParse(organization).success) {
    const search = next === null ? "" : `?${new URLSearchParams({ next }).toString()}`;
    return redirect(res, `/login/sso/${encodeURIComponent(organization)}${search}`);
  }
  const problem = organization === "" ? {} : { problem: "This is not a valid organization name." };
  // The form ends at whatever provider the organization has.
  sendPage(res, { status: 200, html: organizationPage({ next, ...problem }), formTargets: ["https:"] });
}

async function begin(deps: SsoRouterDeps, req: Request, res: Response): Promise<void> {
  await enter(deps, res, { route: "/login/sso/:org", category: "web" });
  const organization = String(req.params["org"]);
  if (!ownerName.safeParse(organization).success) throw new AppError("not_found");
  const next = nextPath(queryOf(req).get("next"), deps.webUrl);
  const { location, binding } = await deps.ssoSignIn.begin(organization, next);
  res.setHeader("Set-Cookie", bindingCookie(binding));
  redirect(res, location.href);
}

async function land(deps: SsoRouterDeps, req: Request, res: Response): Promise<void> {
  await enter(deps, res, { route: "/login/sso/callback/:id", category: "web" });
  const organizationId = idOf("org").safeParse(req.params["id"]);
  if (!organizationId.success) throw new AppError("not_found");
  const landing = await deps.ssoSignIn.land({
    ...answeringOf(req, res),
    organizationId: organizationId.data,
    query: queryOf(req),
  });
  if (landing.kind === "signed_in") return finish(res, landing);
  res.setHeader("Set-Cookie", bindingCookie(landing.binding));
  redirect(res, accountPath);
}

function answeringOf(req: Request, res: Response): BrowserRequest {
  const { cookie } = req.headers;
  return {
    binding: readBindingCookie(cookie),
    request: contextOf(res),
    replaces: readSessionCookie(cookie),
  };
}

function finish(res: Response, { session, next, problem }: CompletedSignIn): void {
  const { token, maxAgeSeconds } = session;
  res.setHeader("Set-Cookie", [sessionCookie(token, maxAgeSeconds), endedBindingCookie]);
  if (problem === undefined) redirect(res, next ?? "/");
  else sendPage(res, { status: 409, html: ssoProblemPage(problem, { signedIn: true }) });
}

async function showQuestion(
  deps: SsoRouterDeps,
  { req, res }: { req: Request; res: Response },
  { status, tried = {} }: { status: number; tried?: FormState },
): Promise<void> {
  if (status === 200) await enter(deps, res, { route: accountPath, category: "web" });
  const question = await deps.ssoArrivals.question(answeringOf(req, res));
  const sender = { method: "GET", headers: { cookie: req.headers.cookie } };
  const { username, sessionId } = await deps.identity.authenticate(sender, contextOf(res));
  const signedInAs = sessionId === null ? "" : username;
  sendPage(res, { status, html: questionPage(question, { ...tried, signedInAs }) });
}

/** Errors that the user can correct show the form again. */
async function answer(deps: SsoRouterDeps, req: Request, res: Response): Promise<void> {
  await enter(deps, res, { route: `${accountPath}/:answer`, category: "auth" });
  refuseForeignPage(req.headers, deps.webUrl);
  const form = await readForm(req);
  const username = form.get("username") ?? "";
  try {
    finish(res, await settle(deps, answeringOf(req, res), { kind: String(req.params["answer"]), form }));
  } catch (error) {
    const mendable = ["unauthorized", "validation_failed", "conflict"];
    if (!(error instanceof AppError) || !mendable.includes(error.code)) throw error;
    const problem = sentence({ message: error.message, errors: error.options.errors });
    const { status } = deps.errors.answer(error, contextOf(res).id);
    await showQuestion(deps, { req, res }, { status, tried: { problem, username } });
  }
}

async function settle(
  deps: SsoRouterDeps,
  answering: BrowserRequest,
  { kind, form }: { kind: string; form: ReadonlyMap<string, string> },
): Promise<CompletedSignIn> {
  if (kind === "code") return deps.ssoArrivals.answerCode(answering, (form.get("otp") ?? "").trim());
  if (kind === "new") return deps.ssoArrivals.makeAccount(answering, form.get("username") ?? "");
  if (kind !== "existing") throw new AppError("not_found");
  const given = signInOf(form);
  if (!given) throw new AppError("unauthorized", { message: "Enter your name and password." });
  return deps.ssoArrivals.linkAccount(answering, given);
}
