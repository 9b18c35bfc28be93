/**
 * `/-/unsubscribe/…`, the address in mails of notifications: a page with a button, for browsers; a POST ends the mails (RFC 8058).
 * The address itself is what proves who may, so nobody signs in. A GET changes nothing, because programs open addresses in mails.
 */
import { Router, type Request, type Response } from "express";
import type { UnsubscribeService } from "../../domains/collaboration/domain.ts";
import { anonymousActor } from "../../platform/access/actor.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { sendPage } from "../../platform/http/page-answer.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import { askPage, donePage, unknownPage } from "./pages.ts";

export interface UnsubscribeRouterDeps {
  gate: RateLimiter;
  unsubscribing: UnsubscribeService;
}

const path = "/-/unsubscribe/:token";

export function createUnsubscribeRouter({ gate, unsubscribing }: UnsubscribeRouterDeps): Router {
  const router = Router();
  const enter = async (req: Request, res: Response): Promise<string> => {
    res.locals["route"] = path;
    const request = res.locals["context"] as RequestContext;
    await gate.enter(res, { ...anonymousActor, request }, "public");
    return String(req.params["token"]);
  };
  router.get(path, async (req, res) => {
    const what = unsubscribing.look(await enter(req, res));
    sendPage(res, what ? { status: 200, html: askPage(what) } : { status: 404, html: unknownPage() });
  });
  router.post(path, async (req, res) => {
    const what = await unsubscribing.unsubscribe(await enter(req, res));
    sendPage(res, what ? { status: 200, html: donePage(what) } : { status: 404, html: unknownPage() });
  });
  return router;
}
