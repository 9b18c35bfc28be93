/** Who may run which Git program in a repository: the one service that every Git transport asks. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Requirement } from "../../../platform/access/requirement.ts";
import type { Authorizer } from "../../policy/domain.ts";
import type { PushRights } from "./push-right.ts";
import type { Lfs } from "../lfs/create-lfs.ts";
import type { LfsCaller } from "../lfs/admission.ts";
import type { LfsGrant } from "../lfs/token.ts";
import { createGitExchange, type GitExchange, type GitExchangeDeps, type GitProgram } from "./exchange.ts";

export interface GitGrant {
  /** Throws where the repository's directory is absent, or not as we made it. */
  open(): Promise<GitExchange>;
}

export interface GitAccess {
  /**
   * Touches no directory, so that a transport can count an admitted client before anything is opened. Throws what the
   * authorizer throws.
   */
  authorize(actor: Actor, wanted: { owner: string; name: string; program: GitProgram }): Promise<GitGrant>;
  /** What `git-lfs-authenticate` answers. Throws what the authorizer throws, and as `open` does. */
  handOverToLfs(
    caller: LfsCaller,
    wanted: { owner: string; name: string; operation: LfsGrant["operation"] },
  ): Promise<ReturnType<Lfs["handOver"]>>;
}

export interface GitAccessDeps extends GitExchangeDeps {
  authorizer: Authorizer;
  pushRights: Pick<PushRights, "authorize">;
  lfs: Pick<Lfs, "admission" | "handOver">;
}

const requirements: Record<Exclude<GitProgram, "receive-pack">, Requirement> = {
  "upload-pack": { access: "repo_read", scope: "repo:read", jobs: "needed" },
  "upload-archive": { access: "repo_read", scope: "repo:read" },
};

export function createGitAccess(deps: GitAccessDeps): GitAccess {
  const { authorizer, storage, lfs } = deps;
  return {
    async authorize(actor, { program, ...address }) {
      const granted =
        program === "receive-pack"
          ? await deps.pushRights.authorize(actor, address)
          : await authorizer.authorizeRepository(actor, requirements[program], address);
      const { repository } = granted;
      const isInvited = "isInvited" in granted && granted.isInvited;
      return {
        async open() {
          await storage.check(repository.id);
          return createGitExchange(deps, { repository, actor, program, isInvited });
        },
      };
    },
    async handOverToLfs(caller, { operation, ...address }) {
      const { repository } = await lfs.admission.admit(caller, { operation, address });
      await storage.check(repository.id);
      return lfs.handOver(repository, { credential: caller.credential, operation });
    },
  };
}
