/** Who may look after a runner, or a group of runners: whoever may do so for what it serves. */
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Authorizer } from "../../policy/domain.ts";

/** By whose it is: of a repository, of an organization, or of the instance. */
interface Scoped {
  organization: string | null;
  owner?: string | null;
  repository?: string | null;
}

/** Gives what `find` gives. Throws `not_found` also for callers who may not know of it. */
export function createScopedPermission<Row extends Scoped>(
  { authorizer }: { authorizer: Authorizer },
  find: (id: string) => Promise<Row | undefined>,
) {
  return async function permitted(actor: Actor, id: string): Promise<Row> {
    const row = await find(id);
    if (row?.organization) {
      await authorizeOwner(authorizer, actor, row.organization);
      return row;
    }
    const ofRepository =
      row?.owner && row.repository ? { owner: row.owner, name: row.repository } : undefined;
    if (actor.isAdmin && !ofRepository) {
      authorizer.authorize(actor, { access: "instance_admin", scope: "org:admin" });
      if (!row) throw new AppError("not_found");
      return row;
    }
    // Absent runners and the instance's own are checked like a hidden repository, so that the answers do not differ. Runners of
    // an archived repository can still be paused and removed: they are machines, not content.
    const requirement = { access: "repo_admin", scope: "repo:admin", archived: "allowed" } as const;
    await authorizer.authorizeRepository(actor, requirement, ofRepository ?? { owner: "-", name: "-" });
    if (!row || !ofRepository) throw new AppError("not_found");
    return row;
  };
}

/** As many as are made for an absent repository: so the time of an answer does not tell whether there is such a runner. */
const lookUps = 3;

/** To somebody outside, the answer is that about an absent runner. */
async function authorizeOwner(authorizer: Authorizer, actor: Actor, organization: string): Promise<void> {
  const requirement = { access: "org_owner", scope: "org:admin" } as const;
  try {
    await authorizer.authorizeOrganization(actor, requirement, organization);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found")
      for (let made = 1; made < lookUps; made++)
        await authorizer.authorizeOrganization(actor, requirement, "-").catch(() => undefined);
    throw error;
  }
}
