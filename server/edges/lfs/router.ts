/** Git LFS in the HTTP application: `/OWNER/REPO.git/info/lfs/…`. */
import { Router } from "express";
import type { BodyMemory } from "../../platform/http/body-memory.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { parseLfsAddress, type LfsPlace } from "./address.ts";
import { refuseLfs } from "./answer.ts";
import { createLfsApiHandlers, type LfsApiCallName } from "./api-handlers.ts";
import { createLfsCallers, type LfsCallersDeps } from "./callers.ts";
import type { Lfs } from "../../domains/hosting/domain.ts";
import { createReadMessage } from "./read-message.ts";
import { createLfsTransferHandlers, type LfsTransferName } from "./transfer-handlers.ts";

export interface LfsRouterDeps extends Omit<LfsCallersDeps, "lfs"> {
  lfs: Lfs;
  bodies: BodyMemory;
  addresses: { docsUrl: string };
  logger: Logger;
}

/** Operations by path and method. */
const places: Record<LfsPlace["kind"], Record<string, LfsApiCallName | LfsTransferName>> = {
  batch: { POST: "batch" },
  locks: { GET: "listLocks", POST: "lock" },
  verifyLocks: { POST: "verifyLocks" },
  unlock: { POST: "unlock" },
  object: { GET: "get", PUT: "put" },
  verify: { POST: "verify" },
  unknown: {},
};

/** Answers all requests below `info/lfs` completely. */
export function createLfsRouter(deps: LfsRouterDeps): Router {
  const callers = createLfsCallers(deps);
  const read = createReadMessage(deps.bodies);
  const calls = createLfsApiHandlers({ lfs: deps.lfs, callers, read });
  const moves = createLfsTransferHandlers({ lfs: deps.lfs, read });
  const { logger } = deps;
  const { docsUrl } = deps.addresses;
  const router = Router();
  router.use(async (req, res, next) => {
    const address = parseLfsAddress(req.originalUrl);
    if (!address) return next();
    res.locals["route"] = "lfs";
    const context = res.locals["context"] as RequestContext;
    let isAnonymous = false;
    try {
      const name = places[address.place.kind][req.method];
      if (name !== undefined && name in moves)
        return await moves[name as LfsTransferName]({ req, res, address, context });
      const caller = await callers.caller(req, res, context);
      isAnonymous = caller.actor.kind === "anonymous";
      if (name === undefined) throw notServed(address.place, (allowed) => res.setHeader("Allow", allowed));
      await calls[name as LfsApiCallName]({ req, res, address, caller });
    } catch (error) {
      refuseLfs({ req, res }, error, { logger, requestId: context.id, docsUrl, isAnonymous });
    }
  });
  return router;
}

function notServed(place: LfsPlace, allow: (methods: string) => void): AppError {
  const methods = Object.keys(places[place.kind]);
  if (methods.length === 0) return new AppError("not_found");
  allow(methods.join(", "));
  return new AppError("method_not_allowed");
}
