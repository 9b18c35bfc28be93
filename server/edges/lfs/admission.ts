/** Who asks of Git LFS, and what they may: the same answers as at every other entry point. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { refuseQueryCredentials } from "../http/admit.ts";
import { AppError } from "../../platform/app-error.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import { parseCredential } from "../../platform/credentials/credential.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { Authorizer, RepositoryRef } from "../../domains/policy/domain.ts";
import type { LfsAddress } from "./address.ts";
import {
  type LfsLink,
  type LfsLinks,
  type LinkMethod,
  lfsRequirements,
  type LfsOperation,
  lfsTokenPrefix,
  type LfsGrant,
  type LfsTokens,
} from "../../domains/hosting/domain.ts";

export interface Admitted {
  actor: Actor;
  /** As `credentialOf` names it. */
  credential: string;
  repository: RepositoryRef;
}

export interface LfsCaller {
  actor: Actor;
  credential: string;
  /** What a token for LFS is limited to. */
  grant?: LfsGrant;
}

export interface LfsAdmissionDeps {
  identity: Pick<IdentityService, "authenticate">;
  authorizer: Authorizer;
  gate: Pick<RateLimiter, "enter" | "hasEntered">;
  lfs: { links: LfsLinks; tokens: LfsTokens };
  /** The actor of a credential that somebody had when an address or token was made for them. */
  resume(credential: string, request: RequestContext): Promise<Actor>;
  credentialOf(actor: Actor): string;
}

export interface LfsAdmission {
  /** By the request's own credential; counts it as a Git operation. Throws `unauthorized`, `rate_limit_exceeded`. */
  caller(req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<LfsCaller>;
  /** To be called before a body is read: of who shows nothing, none is for what they may not see, and uncounted. */
  beforeBody(res: ServerResponse, caller: LfsCaller, address: LfsAddress): Promise<void>;
  /** Throws what the authorizer throws. */
  admit(
    res: ServerResponse,
    caller: LfsCaller,
    wanted: { operation: LfsOperation; address: LfsAddress },
  ): Promise<Admitted>;
  /** By a signed address; throws `forbidden`, `unauthorized` when the credential behind it ended, `not_found`. */
  byLink(
    address: LfsAddress,
    asked: { method: LinkMethod; oid: string },
    context: RequestContext,
  ): Promise<Admitted & { link: LfsLink }>;
}

export function createLfsAdmission(deps: LfsAdmissionDeps): LfsAdmission {
  const { authorizer, gate, lfs } = deps;

  /** Jobs are free: what started them was counted. */
  async function count(res: ServerResponse, actor: Actor): Promise<void> {
    if (!actor.job) await gate.enter(res, actor, "git");
  }

  async function authenticate(req: IncomingMessage, context: RequestContext): Promise<LfsCaller> {
    refuseQueryCredentials(new URL(req.url ?? "/", "https://localhost"));
    const shown = parseCredential(req.headers);
    if (shown.kind !== "token" || !shown.token.startsWith(lfsTokenPrefix)) {
      const actor = await deps.identity.authenticate(req, context);
      return { actor, credential: deps.credentialOf(actor) };
    }
    const grant = lfs.tokens.read(shown.token);
    if (!grant) throw new AppError("unauthorized", { message: "The token is not valid." });
    const { credential } = grant;
    return { actor: await deps.resume(credential, context), credential, grant };
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
      // Clients ask without their credential first and are told 401: that is no operation.
      if (found.actor.kind !== "anonymous") await count(res, found.actor);
      return found;
    },
    async beforeBody(res, { actor }, address) {
      if (actor.kind !== "anonymous") return;
      await authorizer.authorizeRepository(actor, lfsRequirements.download, address);
      await count(res, actor);
    },
    async admit(res, { actor, credential, grant }, { operation, address }) {
      const requirement = lfsRequirements[operation];
      const { repository } = await authorizer.authorizeRepository(actor, requirement, address);
      if (actor.kind === "anonymous" && !gate.hasEntered(res)) await count(res, actor);
      if (grant && grant.repositoryId !== repository.id) throw new AppError("not_found");
      if (grant?.operation === "download" && requirement.access !== "repo_read")
        throw new AppError("forbidden", { message: "This token is only valid for downloads." });
      return { actor, credential, repository };
    },
    async byLink(address, asked, context) {
      const link = lfs.links.open(address.query, asked);
      const actor = await deps.resume(link.credential, context);
      const requirement = lfsRequirements[asked.method === "GET" ? "download" : "upload"];
      const { repository } = await authorizer.authorizeRepository(actor, requirement, address);
      if (repository.id !== link.repositoryId) throw new AppError("not_found");
      return { actor, credential: link.credential, repository, link };
    },
  };
}
