/** The router of `{base_url}`: binds contracts, remembers them, and answers 405 for known paths. */
import { createHash } from "node:crypto";
import { Router, type Request, type RequestHandler, type Response } from "express";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../../platform/app-error.ts";
import { admit } from "../http/admit.ts";
import { routeHandler, type AnyHandler, type BindRouteDeps } from "./bind-route.ts";
import { errorHandler } from "../../platform/http/error-handler.ts";
import { matchesEtag } from "../../platform/http/etag.ts";
import { once } from "../../platform/http/once.ts";
import type { OpenApiDocument } from "../openapi/openapi.ts";
import { compilePath, type PathPattern } from "../../platform/http/path-pattern.ts";
import { indexRoutes } from "./route-index.ts";
import type { RouteBinder } from "./route-binder.ts";

export interface ApiRouter extends RouteBinder {
  router: Router;
  /** Serves the document of all bound contracts, for everyone. `document` is called once, by the first request for it. */
  serveDocument(document: () => OpenApiDocument): void;
  /** To be called once everything is bound: only then is anything served. */
  finish(): void;
}

interface Bound {
  contract: RouteContract;
  handler: AnyHandler;
  pattern: PathPattern;
  /** How many segments of its path are no parameters. */
  literals: number;
}

export function createApiRouter(deps: BindRouteDeps): ApiRouter {
  const router = Router({ caseSensitive: true });
  const bound: Bound[] = [];

  function add(contract: RouteContract, handler: unknown): void {
    if (bound.some((b) => b.contract.id === contract.id)) throw new Error(`${contract.id} is bound twice`);
    // The binder's types hold contract and handler together; here they are all alike.
    const { path } = contract;
    const literals = literalSegments(path);
    bound.push({ contract, handler: handler as AnyHandler, pattern: compilePath(path), literals });
  }

  async function enter(req: Request, res: Response): Promise<void> {
    // Nothing is changed here, so a session need not prove that the request comes from our pages.
    const sender = { method: "GET", headers: req.headers };
    await admit(deps, { sender, res }, { url: new URL(req.originalUrl, deps.webUrl), category: "core" });
  }
  const withHandlers = (each: Bound) => {
    const { contract, handler } = each;
    const handlers = [...leaveNarrower(each, bound), routeHandler(contract, handler, deps)];
    return { method: contract.method, path: contract.path, handlers };
  };
  const binderFor = (prefix: string, name: string) => (contract: RouteContract, handler: unknown) => {
    if (!contract.access.startsWith(prefix)) throw new Error(`${contract.id} does not fit ${name}`);
    add(contract, handler);
  };

  return {
    router,
    bind(contract, handler) {
      if (/^(repo|org|team)_/.test(contract.access)) throw new Error(`${contract.id} does not fit bind`);
      add(contract, handler);
    },
    bindRepository: binderFor("repo_", "bindRepository"),
    bindOrganization: binderFor("org_", "bindOrganization"),
    bindTeam: binderFor("team_", "bindTeam"),
    contracts: () => bound.map((b) => b.contract),
    serveDocument(document) {
      const made = once(() => {
        const text = JSON.stringify(document());
        return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 32)}"` };
      });
      router.get("/openapi.json", async (req, res) => {
        await enter(req, res);
        const { text, etag } = made();
        res.setHeader("ETag", etag).setHeader("Cache-Control", "no-cache");
        if (matchesEtag(req.headers["if-none-match"], etag)) {
          deps.gate.refund(res);
          res.status(304).end();
        } else res.setHeader("Content-Type", "application/json; charset=utf-8").end(text);
      });
    },
    finish() {
      const routersOf = indexRoutes(bound.map(withHandlers), (routes) => {
        const some = Router({ caseSensitive: true });
        for (const { method, path, handlers } of routes) some[method](path, ...handlers);
        return some;
      });
      router.use((req, res, next) => {
        // No contract has this method, which a router of Express would answer by itself.
        if (req.method === "OPTIONS") next();
        else routersOf(req.path)(req, res, next);
      });
      router.use(async (req, res) => {
        await enter(req, res);
        const matching = bound.filter((b) => b.pattern.match(req.path));
        if (matching.length === 0) throw new AppError("not_found");
        const max = Math.max(...matching.map((b) => b.literals));
        const methods = matching
          .filter((b) => b.literals === max)
          .map((b) => b.contract.method.toUpperCase());
        if (methods.includes("GET")) methods.push("HEAD");
        res.setHeader("Allow", [...new Set(methods)].join(", "));
        throw new AppError("method_not_allowed");
      });
      // An address that cannot be read is refused before any of the above.
      router.use(
        errorHandler(async (error, { req, res }) => {
          if (!deps.gate.hasEntered(res)) await enter(req, res);
          throw error;
        }),
      );
    },
  };
}

/**
 * `/things/challenges` is not the thing `challenges`, although that pattern matches too: which methods it has says its own
 * contract alone. Empty for most contracts, which then cost nothing.
 */
function leaveNarrower(own: Bound, all: readonly Bound[]): RequestHandler[] {
  const narrower = all.filter(
    (other) =>
      other.literals > own.literals && own.pattern.match(other.contract.path.replaceAll(/[:*]/g, "")),
  );
  if (narrower.length === 0) return [];
  return [
    (req, _res, next) => next(narrower.some((other) => other.pattern.match(req.path)) ? "route" : undefined),
  ];
}

function literalSegments(path: string): number {
  return path.split("/").filter((segment) => !/^[:*]/.test(segment)).length;
}
