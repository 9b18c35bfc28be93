/** What comes first at the API: who the caller is, and whether they are within their rate limit. */
import type { Response } from "express";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { CookieSender } from "../../platform/credentials/session-cookie.ts";
import { AppError } from "../../platform/app-error.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";

/**
 * The caller, counted against the limit of `category` before anything else happens. An invalid credential counts against the
 * client's address.
 */
export async function admit(
  deps: { identity: IdentityService; gate: RateLimiter },
  { sender, res }: { sender: CookieSender; res: Response },
  { url, category }: { url: URL; category: RateCategory | "free" },
): Promise<Actor> {
  const request = res.locals["context"] as RequestContext;
  let actor: Actor;
  try {
    refuseQueryCredentials(url);
    actor = await deps.identity.authenticate(sender, request);
  } catch (error) {
    await deps.gate.enter(res, { ...anonymousActor, request }, category === "free" ? "core" : category);
    throw error;
  }
  if (category !== "free") await deps.gate.enter(res, actor, category);
  return actor;
}

/** Addresses are logged in many places, so a token in one is no longer secret; it is refused even if it is valid. */
export function refuseQueryCredentials(url: URL): void {
  for (const [name, value] of url.searchParams)
    if (/^(access_token|private_token|token)$/i.test(name) || /^svc_[a-z]+_/.test(value))
      throw new AppError("unauthorized", {
        message: "Tokens in URLs are refused; send an Authorization header.",
      });
}
