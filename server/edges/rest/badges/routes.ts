/** Binds the operations on badges. */
import type { Response } from "express";
import { getCoverageBadge, getPipelineBadge } from "@forgeline/schemas/badges/routes.ts";
import type { BadgeService } from "../../../domains/pipelines/domain.ts";
import { sentByHandler, type RouteBinder } from "../route-binder.ts";

export function registerBadgeRoutes(app: RouteBinder, { badges }: { badges: BadgeService }): void {
  app.bindRepository(getPipelineBadge, async ({ actor, repository, query, revalidate, raw }) => {
    const svg = await badges.pipeline(repository, query, revalidate);
    return sendPicture(raw.res, svg, actor.kind === "anonymous");
  });
  app.bindRepository(getCoverageBadge, async ({ actor, repository, query, revalidate, raw }) => {
    const svg = await badges.coverage(repository, query, revalidate);
    return sendPicture(raw.res, svg, actor.kind === "anonymous");
  });
}

/**
 * Opened by itself, the picture is a document of ours: it may run and load nothing. Pages of other hosts may show what everybody may
 * see, and not learn what somebody who is signed in sees.
 */
function sendPicture(res: Response, svg: string, isForAll: boolean): typeof sentByHandler {
  res.setHeader("Content-Type", "image/svg+xml; charset=utf-8");
  res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
  if (isForAll) res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  res.setHeader("Content-Length", Buffer.byteLength(svg));
  res.end(res.req.method === "HEAD" ? undefined : svg);
  return sentByHandler;
}
