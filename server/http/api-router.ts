/** The router of `{base_url}`: binds contracts, remembers them, and answers 405 for known paths. */
import { createHash } from "node:crypto";
import { Router, type NextFunction, type Request, type Response } from "express";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../platform/app-error.ts";
import { admit } from "./admit.ts";
import { bindRoute, type AnyHandler, type BindRouteDeps } from "./bind-route.ts";
import { matchesEtag } from "./etag.ts";
import type { OpenApiDocument } from "./openapi.ts";
import { compilePath } from "./path-pattern.ts";
import type { RouteBinder } from "./route-binder.ts";

export interface ApiRouter extends RouteBinder {
  router: Router;
  /** Serves the document made of what is bound, for everyone. */
  serveDocument(document: OpenApiDocument): void;
  /** To be called once everything is bound. */
  finish(): void;
}

export function createApiRouter(deps: BindRouteDeps): ApiRouter {
  const router = Router({ caseSensitive: true });
  const bound: RouteContract[] = [];

  function add(contract: RouteContract, handler: unknown): void {
    if (bound.some((c) => c.id === contract.id)) throw new Error(`${contract.id} is bound twice`);
    bound.push(contract);
    // The binder's types hold contract and handler together; here they are all alike.
    bindRoute(router, contract, handler as AnyHandler, deps);
  }

  async function enter(req: Request, res: Response): Promise<void> {
    // Nothing is changed here, so a session need not prove that a page of ours asks.
    const sender = { method: "GET", headers: req.headers };
    await admit(deps, sender, res, { url: new URL(req.originalUrl, deps.webUrl), category: "core" });
  }
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
    contracts: () => bound,
    serveDocument(document) {
      const text = JSON.stringify(document);
      const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 32)}"`;
      router.get("/openapi.json", async (req, res) => {
        await enter(req, res);
        res.setHeader("ETag", etag).setHeader("Cache-Control", "no-cache");
        if (matchesEtag(req.headers["if-none-match"], etag)) {
          deps.gate.refund(res);
          res.status(304).end();
        } else res.setHeader("Content-Type", "application/json; charset=utf-8").end(text);
      });
    },
    finish() {
      const patterns = bound.map((contract) => ({ contract, pattern: compilePath(contract.path) }));
      router.use(async (req, res) => {
        await enter(req, res);
        const matching = patterns.filter((p) => p.pattern.match(req.path)).map((p) => p.contract);
        if (matching.length === 0) throw new AppError("not_found");
        // `/things/challenges` is not the thing `challenges`, although that pattern matches too.
        const most = Math.max(...matching.map((contract) => literalSegments(contract.path)));
        const methods = matching
          .filter((contract) => literalSegments(contract.path) === most)
          .map((contract) => contract.method.toUpperCase());
        if (methods.includes("GET")) methods.push("HEAD");
        res.setHeader("Allow", [...new Set(methods)].join(", "));
        throw new AppError("method_not_allowed");
      });
      // An address that cannot be read is refused before any of the above.
      router.use(async (error: unknown, req: Request, res: Response, _next: NextFunction) => {
        if (!deps.gate.hasEntered(res)) await enter(req, res);
        throw error;
      });
    },
  };
}

function literalSegments(path: string): number {
  return path.split("/").filter((segment) => !/^[:*]/.test(segment)).length;
}
