import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { auditKinds } from "@forgeline/schemas/audit/kinds.ts";

test("docs/audit.md has a row for every kind that can be recorded, with its meaning, and for nothing else", async () => {
  const page = await readFile("docs/audit.md", "utf8");
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\| (.+?) +\|$/gm)].map((row) => [row[1], row[2]]);
  expect(rows).toEqual(Object.entries(auditKinds));
});

test("the 29 kinds of the specification are among them", () => {
  const kinds = {
    repo: ["create", "delete", "visibility_change", "transfer", "archive", "settings_change"],
    access: [
      "collaborator_add",
      "collaborator_remove",
      "permission_change",
      "team_repo_add",
      "team_repo_remove",
    ],
    auth: [
      "login",
      "login_failure",
      "logout",
      "token_create",
      "token_revoke",
      "ssh_key_add",
      "ssh_key_remove",
    ],
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
  const names = Object.entries(kinds).flatMap(([category, each]) =>
    each.map((name) => `${category}.${name}`),
  );
  expect(names).toHaveLength(29);
  expect(Object.keys(auditKinds)).toEqual(expect.arrayContaining(names));
});

test("nothing writes entries but the one function", async () => {
  const writers: string[] = [];
  for (const file of globSync("{server,workflows}/**/*.ts", { exclude: (name) => name === "node_modules" }))
    if (/insert into audit_log/i.test(await readFile(file, "utf8"))) writers.push(file);
  expect(writers).toEqual(["server/features/audit/store.ts"]);
});
