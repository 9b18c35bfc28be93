/** Made by `node scripts/generate-rows.ts` from the statements of member.store.ts; do not edit. */

export interface MemberRows {
  listMembers: {
    user_id: string;
    role: "maintainer" | "member";
    created_at: Date;
    inherited_path: string | null;
  };
  belongsTo: {
    user_id: string;
  };
  roleOf: {
    role: "maintainer" | "member";
  };
  putMember: {
    user_id: string;
    role: "maintainer" | "member";
    created_at: Date;
    inherited_path: string | null;
  };
  deleteMember: {
    user_id: string;
  };
  leaveTeams: {
    team_id: string;
  };
  dropUsers: never;
}
