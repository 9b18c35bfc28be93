/** The kinds of audit entries that `spec.md` 6.1 names, in its order. */
const kinds = {
  repo: ["create", "delete", "visibility_change", "transfer", "archive", "settings_change"],
  access: [
    "collaborator_add",
    "collaborator_remove",
    "permission_change",
    "team_repo_add",
    "team_repo_remove",
  ],
  auth: ["login", "login_failure", "logout", "token_create", "token_revoke", "ssh_key_add", "ssh_key_remove"],
  org: [
    "member_add",
    "member_remove",
    "role_change",
    "team_create",
    "team_delete",
    "sso_configure",
    "settings_change",
  ],
  security: ["branch_protection_change", "secret_create", "secret_delete", "vulnerability_detected"],
};

export const specKinds: readonly string[] = Object.entries(kinds).flatMap(([category, each]) =>
  each.map((name) => `${category}.${name}`),
);
