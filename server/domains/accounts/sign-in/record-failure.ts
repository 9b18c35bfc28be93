/** `auth.login_failure`, for every way to sign in. */
import type { Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";

/** What was typed as a name is not kept: people type passwords there. */
export async function recordSignInFailure(
  tx: Transaction,
  {
    user,
    request,
  }: { user: { id: string; username: string } | undefined; request: NonNullable<Actor["request"]> },
  {
    organizationId,
    ...details
  }: {
    method: "password" | "passkey" | "SSO";
    second_factor?: "otp";
    reason?: string;
    /** The organization whose provider was used, as long as the user is not known. */
    organizationId?: string;
  },
): Promise<void> {
  await recordAudit(
    tx,
    { ...anonymousActor, request },
    {
      action: "auth.login_failure",
      target: { type: "user", id: user?.id ?? "", name: user?.username ?? "" },
      details,
      ...(organizationId === undefined ? {} : { organizationId }),
    },
  );
}
