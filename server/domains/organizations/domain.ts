/** Organizations: who belongs to them, in which teams, with which bots, and how their members sign in. */
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createBotService } from "./bots/service.ts";
import { createInvitationService } from "./invitations/service.ts";
import type { Collaborations } from "./organization-members/collaborations.ts";
import { createMemberService } from "./organization-members/service.ts";
import { createOrganizationAdministration } from "./organizations/administration.ts";
import { createOrganizationService } from "./organizations/service.ts";
import { createSsoArrivals } from "./sso/arrival.ts";
import { createSsoConfiguration } from "./sso/configuration.ts";
import { createSsoIdentities } from "./sso/identities.ts";
import { createProviders } from "./sso/provider.ts";
import { createSsoSignIn } from "./sso/sign-in.ts";
import { createTeamGrantService } from "./teams/grant-service.ts";
import { createTeamMemberService } from "./teams/member-service.ts";
import { createTeamService } from "./teams/service.ts";

export interface OrganizationsDeps {
  platform: Platform;
  policy: Policy;
  operation: Operation;
  accounts: Accounts;
  collaborations: Collaborations;
}

export type Organizations = ReturnType<typeof createOrganizations>;

export function createOrganizations(deps: OrganizationsDeps) {
  const { platform, policy, operation, accounts, collaborations } = deps;
  const { db, addresses } = platform;
  const { users, owners, botUsers } = accounts;
  const { authorizer } = policy;
  const organizations = createOrganizationService({ db, owners, botUsers, collaborations });
  const ofTeams = { db, authorizer, users, organizations };
  const teamMembers = createTeamMemberService(ofTeams);
  const members = createMemberService({ ...ofTeams, teamMembers, addresses, collaborations });
  accounts.onSuspension(members.replaceSoleOwner);
  return {
    organizations,
    organizationAdministration: createOrganizationAdministration({ db }),
    members,
    invitations: createInvitationService({ db, organizations, members, users, addresses }),
    bots: createBotService({ db, organizations, botUsers, collaborations }),
    teams: createTeamService(ofTeams),
    teamMembers,
    teamGrants: createTeamGrantService(ofTeams),
    ...createSso({ platform, operation, accounts, members, organizations }),
    lifecycle: joinLifecycles([]),
  };
}

type SsoParts = Omit<OrganizationsDeps, "policy" | "collaborations"> & {
  members: ReturnType<typeof createMemberService>;
  organizations: ReturnType<typeof createOrganizationService>;
};

function createSso({ platform, operation, accounts, members, organizations }: SsoParts) {
  const { db, logger, addresses, instanceKey, outbound } = platform;
  const { instanceSettings } = operation;
  const key = instanceKey.derive("sso");
  const providers = createProviders(outbound);
  const shared = {
    ...accounts,
    db,
    logger,
    addresses,
    key,
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
export { presentOrganization } from "./organizations/present.ts";
export { bindingCookie, endedBindingCookie, readBindingCookie } from "./sso/binding.ts";
export { callbackUrlOf } from "./sso/configuration.ts";
export { presentTeam } from "./teams/present.ts";
export type { BotRow } from "./bots/bots.store.ts";
export type { BotService } from "./bots/service.ts";
export type { InvitationRow } from "./invitations/invitations.store.ts";
export type { InvitationService } from "./invitations/service.ts";
export type { Member, MemberService } from "./organization-members/service.ts";
export type { OrganizationAdministration } from "./organizations/administration.ts";
export type { OrganizationService } from "./organizations/service.ts";
export type { BrowserRequest, SsoQuestion, CompletedSignIn, SsoArrivalService } from "./sso/arrival.ts";
export type { ConfigurationRow } from "./sso/configuration.store.ts";
export type { SsoConfigurationService } from "./sso/configuration.ts";
export type { SsoIdentityService } from "./sso/identities.ts";
export type { IdentityRow } from "./sso/identity.store.ts";
export type { SsoSignInService } from "./sso/sign-in.ts";
export type { TeamGrantService } from "./teams/grant-service.ts";
export type { TeamMember, TeamMemberService } from "./teams/member-service.ts";
export type { TeamService } from "./teams/service.ts";
