/** What services read that verify identity tokens of jobs: the description of this instance (OpenID Connect Discovery 1.0), and its keys. */
import { Router, type Response } from "express";
import { claimNames, type IdTokenKeys } from "../../domains/pipelines/domain.ts";
import { anonymousActor } from "../../platform/access/actor.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";

export interface IdTokensRouterDeps {
  gate: RateLimiter;
  idTokenKeys: IdTokenKeys;
  webUrl: string;
}

const described = "/.well-known/openid-configuration";
const keys = "/.well-known/jwks.json";
/** A new key is published a day before it signs. */
const cacheControl = "public, max-age=3600";

export function createIdTokensRouter({ gate, idTokenKeys, webUrl }: IdTokensRouterDeps): Router {
  const router = Router();
  const answer = (path: string, content: () => Promise<object>) =>
    router.get(path, async (_req, res) => {
      res.locals["route"] = path;
      const request = res.locals["context"] as RequestContext;
      await gate.enter(res, { ...anonymousActor, request }, "public");
      sendPublic(res, await content());
    });
  answer(described, async () => description(webUrl, idTokenKeys.algorithm));
  answer(keys, async () => ({ keys: await idTokenKeys.publicKeys() }));
  return router;
}

/** Pages of any origin may verify tokens too. */
function sendPublic(res: Response, content: object): void {
  res.setHeader("Access-Control-Allow-Origin", "*").setHeader("Cache-Control", cacheControl);
  res.json(content);
}

function description(webUrl: string, algorithm: string): object {
  return {
    issuer: webUrl,
    jwks_uri: `${webUrl}${keys}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [algorithm],
    scopes_supported: ["openid"],
    claims_supported: claimNames,
  };
}
