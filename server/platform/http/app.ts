/** The Express application: what every answer has, then the API, then the other routers, then the error handler. */
import express, { type Express, type NextFunction, type Request, type Response, type Router } from "express";
import { AppError } from "../app-error.ts";
import type { AddressRanges } from "../network/address-ranges.ts";
import type { Locate } from "../geo.ts";
import type { Logger } from "../logger.ts";
import type { HttpMetrics } from "../metrics.ts";
import { errorHandler } from "./error-handler.ts";
import type { ErrorResponder } from "./error-response.ts";
import { hasBody } from "./json-body.ts";
import { refuseAmbiguousHeaders } from "./ambiguous-headers.ts";
import { createRequestContext, type RequestContext } from "./request-context.ts";

export interface AppDeps {
  trustedProxies: AddressRanges;
  locate: Locate;
  errors: ErrorResponder;
  logger: Logger;
  metrics: HttpMetrics;
  /** Mounted at `/api/v1`. */
  api: Router;
  /** Mounted at `/`, in this order: health, documentation, Git, … */
  routers: readonly Router[];
}

export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use(prepare(deps));
  app.use("/api/v1", deps.api);
  for (const router of deps.routers) app.use(router);
  app.use(() => {
    throw new AppError("not_found");
  });
  app.use(
    errorHandler((error, { req, res }) => {
      const context = res.locals["context"] as RequestContext;
      // What the client still sends of a refused upload would hold the connection.
      if (hasBody(req) && !req.complete) res.setHeader("Connection", "close");
      deps.errors.send(res, malformedAddress(error) ?? error, context.id);
    }),
  );
  return app;
}

/** Express throws its own error for `%` sequences that cannot be decoded; such an address names nothing. */
function malformedAddress(error: unknown): AppError | undefined {
  return error instanceof URIError ? new AppError("not_found") : undefined;
}

/**
 * Of every answer that does not say otherwise, so of all that holds bytes of users: opened as a page it has an origin of its
 * own, to which no cookie belongs, and runs and fetches nothing.
 */
const securityHeaders = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
};

function prepare(deps: AppDeps) {
  return (req: Request, res: Response, next: NextFunction) => {
    const started = performance.now();
    const context = createRequestContext(req, deps.trustedProxies, deps.locate);
    res.locals["context"] = context;
    res.setHeader("X-Request-Id", context.id);
    for (const [name, value] of Object.entries(securityHeaders)) res.setHeader(name, value);
    res.once("close", () => {
      const seconds = (performance.now() - started) / 1000;
      const route = (res.locals["route"] as string | undefined) ?? "other";
      // A refusal may be said inside an answer that HTTP takes for good.
      const status = (res.locals["status"] as number | undefined) ?? res.statusCode;
      deps.metrics.observeRequest({ method: req.method, route, status, seconds });
      if (!deps.logger.isLevelEnabled("debug")) return;
      deps.logger.debug(
        {
          request_id: context.id,
          method: req.method,
          path: req.path,
          status,
          ms: Math.round(seconds * 1000),
        },
        "request",
      );
    });
    if (!context.secure) throw new AppError("https_required");
    refuseAmbiguousHeaders(req.rawHeaders);
    next();
  };
}
