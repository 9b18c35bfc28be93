/**
 * `/-/team-address/…`, the address in mails to a team's shared address: a page with a button that confirms it, or ends what is sent
 * there (RFC 8058). The address itself is what proves who may, so nobody signs in. A GET changes nothing, because programs open
 * addresses in mails.
 */
import { Router, type Request, type Response } from "express";
import type { AddressLinks } from "../../domains/collaboration/domain.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { sendPage } from "../../platform/http/page-answer.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import { askPage, donePage, unknownPage } from "./pages.ts";

export interface TeamAddressRouterDeps {
  gate: RateLimiter;
  teamAddressLinks: AddressLinks;
}

const path = "/-/team-address/:token";

export function createTeamAddressRouter({ gate, teamAddressLinks: links }: TeamAddressRouterDeps): Router {
  const router = Router();
  const enter = async (req: Request, res: Response): Promise<{ actor: Actor; token: string }> => {
    res.locals["route"] = path;
    const actor = { ...anonymousActor, request: res.locals["context"] as RequestContext };
    await gate.enter(res, actor, "public");
    return { actor, token: String(req.params["token"]) };
  };
  router.get(path, async (req, res) => {
    const what = links.look((await enter(req, res)).token);
    sendPage(res, what ? { status: 200, html: askPage(what) } : { status: 404, html: unknownPage() });
  });
  router.post(path, async (req, res) => {
    const { actor, token } = await enter(req, res);
    const what = await links.follow(actor, token);
    sendPage(res, what ? { status: 200, html: donePage(what) } : { status: 404, html: unknownPage() });
  });
  return router;
}
