/** Wires where notifications of teams go. */
import type { Platform } from "../../../platform/platform.ts";
import type { Operation } from "../../operation/domain.ts";
import { createAddressLinks } from "./address-links.ts";
import { createAddressTokens } from "./address-tokens.ts";
import { sendTeamMails } from "./send-team-mails.ts";
import { createTeamRoutingService } from "./service.ts";

export function createTeamRouting({ platform, operation }: { platform: Platform; operation: Operation }) {
  const { db, addresses, metrics: registry } = platform;
  const tokens = createAddressTokens(platform.instanceKeys.signer("notification_mail"));
  sendTeamMails({ ...operation, db, addresses, registry, tokens });
  return {
    teamRouting: createTeamRoutingService({ ...operation, db, addresses, tokens }),
    teamAddressLinks: createAddressLinks({ db, tokens }),
  };
}
