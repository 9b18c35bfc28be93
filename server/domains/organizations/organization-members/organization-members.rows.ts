/** Made by `node scripts/generate-rows.ts` from the statements of organization-members.store.ts; do not edit. */

export interface OrganizationMembersRows {
  listMembers: {
    user_id: string;
    role: "member" | "owner";
    created_at: Date;
  };
  findMember: {
    user_id: string;
    role: "member" | "owner";
    created_at: Date;
  };
  insertMember: {
    user_id: string;
    role: "member" | "owner";
    created_at: Date;
  };
  updateRole: never;
  deleteMember: {
    role: "member" | "owner";
  };
  listOwned: {
    id: string;
    name: string;
  };
  findOtherOwner: {
    user_id: string;
  };
}
