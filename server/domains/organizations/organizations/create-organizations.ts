/** The services of organizations, made together. */
import { createBotService, type BotService } from "../bots/service.ts";
import {
  createInvitationService,
  type InvitationService,
  type InvitationServiceDeps,
} from "../invitations/service.ts";
import {
  createMemberService,
  type MemberService,
  type MemberServiceDeps,
} from "../organization-members/service.ts";
import { createOrganizationService, type OrganizationService } from "./service.ts";

export interface OrganizationServices {
  organizations: OrganizationService;
  members: MemberService;
  invitations: InvitationService;
  bots: BotService;
}

export function createOrganizations(deps: MemberServiceDeps & InvitationServiceDeps): OrganizationServices {
  return {
    organizations: createOrganizationService(deps),
    members: createMemberService(deps),
    invitations: createInvitationService(deps),
    bots: createBotService(deps),
  };
}
