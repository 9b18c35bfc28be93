/** Identifies callers of Git LFS and counts their requests; hosting says what they may do. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { refuseQueryCredentials } from "../http/admit.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import { parseCredential } from "../../platform/credentials/credential.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { LfsAddress } from "./address.ts";
import {
  type Lfs,
  type LfsAdmitted,
  type LfsCaller,
  type LfsOperation,
  lfsTokenPrefix,
} from "../../domains/hosting/domain.ts";

export interface LfsCallersDeps {
  identity: Pick<IdentityService, "authenticate">;
  gate: Pick<RateLimiter, "enter" | "hasEntered">;
  lfs: Pick<Lfs, "admission">;
}

export interface LfsCallers {
  /** By the request's own credential; counts it as a Git operation. Throws `unauthorized`, `rate_limit_exceeded`. */
  caller(req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<LfsCaller>;
  /** To be called before a body is read: anonymous callers without access are refused before it, and not counted. */
  beforeBody(res: ServerResponse, caller: LfsCaller, address: LfsAddress): Promise<void>;
  /** Throws what `LfsAdmission.admit` throws, and `rate_limit_exceeded`. */
  admit(
    res: ServerResponse,
    caller: LfsCaller,
    wanted: { operation: LfsOperation; address: LfsAddress },
  ): Promise<LfsAdmitted>;
}

export function createLfsCallers({ identity, gate, lfs: { admission } }: LfsCallersDeps): LfsCallers {
  /** Jobs are free, because their trigger was counted. */
  async function count(res: ServerResponse, actor: Actor): Promise<void> {
    if (!actor.job) await gate.enter(res, actor, "git");
  }

  async function authenticate(req: IncomingMessage, context: RequestContext): Promise<LfsCaller> {
    refuseQueryCredentials(new URL(req.url ?? "/", "https://localhost"));
    const shown = parseCredential(req.headers);
    return shown.kind === "token" && shown.token.startsWith(lfsTokenPrefix)
      ? admission.callerByToken(shown.token, context)
      : admission.callerOf(await identity.authenticate(req, context));
  }

  return {
    async caller(req, res, context) {
      let found: LfsCaller;
      try {
        found = await authenticate(req, context);
      } catch (error) {
        await count(res, { ...anonymousActor, request: context });
        throw error;
      }
      // Clients first send a request without their credential and get 401: that is not an operation.
      if (found.actor.kind !== "anonymous") await count(res, found.actor);
      return found;
    },
    async beforeBody(res, caller, address) {
      if (caller.actor.kind !== "anonymous") return;
      await admission.admit(caller, { operation: "download", address });
      await count(res, caller.actor);
    },
    async admit(res, caller, wanted) {
      const admitted = await admission.admit(caller, wanted);
      if (caller.actor.kind === "anonymous" && !gate.hasEntered(res)) await count(res, caller.actor);
      return admitted;
    },
  };
}
