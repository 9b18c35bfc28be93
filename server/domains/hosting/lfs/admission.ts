/** Who makes a request to Git LFS and what they may do: by a credential, by a token for LFS, or by a signed address. */
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Requirement } from "../../../platform/access/requirement.ts";
import type { RequestContext } from "../../../platform/http/request-context.ts";
import { credentialOf, type Accounts } from "../../accounts/domain.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import type { PushRights } from "../git-access/push-right.ts";
import type { LfsLink, LfsLinks } from "./link.ts";
import { isOfPushes, lfsRequirements, type LfsOperation } from "./operations.ts";
import type { LfsGrant, LfsTokens } from "./token.ts";

export interface LfsCaller {
  actor: Actor;
  /** As `credentialOf` names it. */
  credential: string;
  /** What a token for LFS is limited to. */
  grant?: LfsGrant;
}

export interface LfsAdmitted {
  actor: Actor;
  credential: string;
  repository: RepositoryRef;
}

export interface LfsAdmission {
  /** For one with a credential of their own, or none. Throws `forbidden` for a credential that cannot be looked up again. */
  callerOf(actor: Actor): LfsCaller;
  /** For one with a token for LFS. Throws `unauthorized` where it is not valid, or the credential behind it ended. */
  callerByToken(token: string, request: RequestContext): Promise<LfsCaller>;
  /** Throws what the authorizer throws, `not_found` and `forbidden` where a token for LFS allows less than its credential. */
  admit(
    caller: LfsCaller,
    wanted: { operation: LfsOperation; address: { owner: string; name: string } },
  ): Promise<LfsAdmitted>;
  /** By a signed address; throws `forbidden`, `unauthorized` when the credential behind it ended, `not_found`. */
  byLink(
    address: { owner: string; name: string; query: URLSearchParams },
    asked: Pick<LfsLink, "method" | "oid">,
    request: RequestContext,
  ): Promise<LfsAdmitted & { link: LfsLink }>;
}

export interface LfsAdmissionDeps {
  authorizer: Authorizer;
  pushRights: Pick<PushRights, "authorize">;
  links: Pick<LfsLinks, "open">;
  tokens: Pick<LfsTokens, "read">;
  /** The actor of the credential for which an address or token was issued. */
  resumeActor: Accounts["resumeActor"];
}

/** Throws `repository_mirrored` for whoever would change what comes from its source. */
function refuseMirror(repository: RepositoryRef, { access }: Requirement): void {
  if (repository.mirror && access !== "repo_read") throw new AppError("repository_mirrored");
}

export function createLfsAdmission({
  authorizer,
  pushRights,
  links,
  tokens,
  resumeActor,
}: LfsAdmissionDeps): LfsAdmission {
  /** Who may push, also by invitation, may do what a push with large files takes. */
  async function authorize(
    actor: Actor,
    operation: LfsOperation,
    address: { owner: string; name: string },
  ): Promise<RepositoryRef> {
    const requirement = lfsRequirements[operation];
    const { repository } = isOfPushes(operation)
      ? await pushRights.authorize(actor, address)
      : await authorizer.authorizeRepository(actor, requirement, address);
    refuseMirror(repository, requirement);
    return repository;
  }

  return {
    callerOf: (actor) => ({ actor, credential: credentialOf(actor) }),
    async callerByToken(token, request) {
      const grant = tokens.read(token);
      if (!grant) throw new AppError("unauthorized", { message: "The token is not valid." });
      const { credential } = grant;
      return { actor: await resumeActor(credential, request), credential, grant };
    },
    async admit({ actor, credential, grant }, { operation, address }) {
      const repository = await authorize(actor, operation, address);
      if (grant && grant.repositoryId !== repository.id) throw new AppError("not_found");
      if (grant?.operation === "download" && lfsRequirements[operation].access !== "repo_read")
        throw new AppError("forbidden", { message: "This token is only valid for downloads." });
      return { actor, credential, repository };
    },
    async byLink(address, asked, request) {
      const link = links.open(address.query, asked);
      const actor = await resumeActor(link.credential, request);
      const operation = asked.method === "GET" ? "download" : "upload";
      const repository = await authorize(actor, operation, address);
      if (repository.id !== link.repositoryId) throw new AppError("not_found");
      return { actor, credential: link.credential, repository, link };
    },
  };
}
