/** Organizations: who belongs to them, in which teams, with which bots, and how their members sign in. */
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createBotTokenService } from "./bots/bot-tokens.ts";
import { createBotService } from "./bots/service.ts";
import { createInvitationService } from "./invitations/service.ts";
import type { Collaborations } from "./organization-members/collaborations.ts";
import { createMemberService } from "./organization-members/service.ts";
import { createOrganizationAdministration } from "./organizations/administration.ts";
import { createOrganizationService } from "./organizations/service.ts";
import { createOwnerLookup } from "./owners/lookup.ts";
import { createSsoArrivals } from "./sso/arrival.ts";
import { createSsoConfiguration } from "./sso/configuration.ts";
import { encryptedSsoSecrets } from "./sso/encrypted-secrets.ts";
import { createSsoIdentities } from "./sso/identities.ts";
import { createProviders } from "./sso/provider.ts";
import { createSsoSignIn } from "./sso/sign-in.ts";
import type { RepositoryCatalog } from "./teams/repository-catalog.ts";
import { createTeamGrantService } from "./teams/grant-service.ts";
import { createTeamMemberService } from "./teams/member-service.ts";
import { createTeamService } from "./teams/service.ts";

export interface OrganizationsDeps {
  platform: Platform;
  policy: Policy;
  operation: Operation;
  accounts: Accounts;
  collaborations: Collaborations;
  repositoryCatalog: RepositoryCatalog;
}

export type Organizations = ReturnType<typeof createOrganizations>;

export function createOrganizations(deps: OrganizationsDeps) {
  const { platform, policy, operation, accounts, collaborations, repositoryCatalog } = deps;
  const { db, addresses } = platform;
  const { users, owners, botUsers } = accounts;
  const { authorizer } = policy;
  const organizations = createOrganizationService({ db, owners, botUsers, collaborations });
  const ofTeams = { db, authorizer, users, organizations, repositoryCatalog };
  const teamMembers = createTeamMemberService(ofTeams);
  const members = createMemberService({ ...ofTeams, teamMembers, addresses, collaborations });
  accounts.onSuspension(members.replaceSoleOwner);
  const bots = createBotService({ db, organizations, botUsers, collaborations });
  return {
    organizations,
    organizationAdministration: createOrganizationAdministration({ db }),
    members,
    invitations: createInvitationService({ db, organizations, members, users, addresses }),
    ownerLookup: createOwnerLookup({ users, organizations }),
    bots,
    botTokens: createBotTokenService({ bots, tokens: accounts.botTokens }),
    teams: createTeamService(ofTeams),
    teamMembers,
    teamGrants: createTeamGrantService(ofTeams),
    ...createSso({ platform, operation, accounts, members, organizations }),
    lifecycle: joinLifecycles([]),
  };
}

type SsoParts = Omit<OrganizationsDeps, "policy" | "collaborations" | "repositoryCatalog"> & {
  members: ReturnType<typeof createMemberService>;
  organizations: ReturnType<typeof createOrganizationService>;
};

function createSso({ platform, operation, accounts, members, organizations }: SsoParts) {
  const { db, logger, addresses, instanceKeys, outbound } = platform;
  const { instanceSettings } = operation;
  const encryption = instanceKeys.encryption("sso");
  operation.encryptedRecords.add("single_sign_on", encryptedSsoSecrets(encryption));
  const providers = createProviders(outbound);
  const shared = {
    ...accounts,
    db,
    logger,
    addresses,
    encryption,
    providers,
    instanceSettings,
    members,
    organizations,
  };
  const ssoConfiguration = createSsoConfiguration(shared);
  const ssoIdentities = createSsoIdentities(shared);
  return {
    ssoConfiguration,
    ssoIdentities,
    ssoSignIn: createSsoSignIn({ ...shared, ssoConfiguration }),
    ssoArrivals: createSsoArrivals({ ...shared, identities: ssoIdentities }),
  };
}

// What other domains and the edges may use.
export { createOrganizationAccess } from "./organizations/access.ts";
export { presentBot, presentBotToken } from "./bots/present.ts";
export { presentInvitation, presentOwnInvitation } from "./invitations/present.ts";
export { presentMember } from "./organization-members/present.ts";
export { presentOwner } from "./owners/present.ts";
export { recordOrganizationPing } from "./organizations/organization-events.ts";
export { presentOrganization } from "./organizations/present.ts";
export { bindingCookie, endedBindingCookie, readBindingCookie } from "./sso/binding.ts";
export { presentOwnSsoIdentity, presentSsoConfiguration, presentSsoIdentity } from "./sso/present.ts";
export { presentTeam, presentTeamGrant, presentTeamMember } from "./teams/present.ts";
export type { BotTokenService } from "./bots/bot-tokens.ts";
export type { BotService } from "./bots/service.ts";
export type { InvitationService } from "./invitations/service.ts";
export type { MemberService } from "./organization-members/service.ts";
export type { OrganizationAdministration } from "./organizations/administration.ts";
export type { OwnerLookup } from "./owners/lookup.ts";
export type { OrganizationService } from "./organizations/service.ts";
export type { BrowserRequest, SsoQuestion, CompletedSignIn, SsoArrivalService } from "./sso/arrival.ts";
export type { SsoConfigurationService } from "./sso/configuration.ts";
export type { SsoIdentityService } from "./sso/identities.ts";
export type { SsoSignInService } from "./sso/sign-in.ts";
export type { TeamGrantService } from "./teams/grant-service.ts";
export type { TeamMemberService } from "./teams/member-service.ts";
export type { TeamService } from "./teams/service.ts";
