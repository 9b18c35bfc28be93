import { afterAll, beforeAll, expect, test } from "vitest";
import { allContracts } from "../../scripts/generate/contracts.ts";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { openApiPath } from "@forgeline/server/edges/openapi/openapi.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

test("what is bound is what schemas/ declare, and what the served document shows", async () => {
  const name = (c: { method: string; path: string; id?: string }) => `${c.method} ${openApiPath(c.path)}`;
  const bound = server.http.binder.contracts();
  expect(bound.map(name).sort()).toEqual((await allContracts()).map(name).sort());
  const document = await server.api("GET", "/openapi.json");
  const shown = Object.entries(document.json.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(shown.sort()).toEqual(bound.map(name).sort());
});

const idKinds: Record<string, string> = {
  runner: "rnr",
  session: "ses",
  email: "eml",
  mail: "mail",
  key: "key",
  "gpg-key": "gpg",
  passkey: "pky",
  invitation: "inv",
  "oauth-app": "app",
  grant: "grt",
  announcement: "ann",
  "sso-identitie": "idn",
  webhook: "hook",
  "push-mirror": "pmir",
  schedule: "sched",
  deployment: "depl",
  export: "exp",
  "key-rotation": "rot",
  "signing-key": "sgk",
  "runner-group": "rgrp",
  comment: "cmt",
  replie: "rply",
  attachment: "atm",
  notification: "ntf",
  label: "lbl",
  milestone: "mst",
  import: "imp",
  archive: "iarc",
  "import-request": "iask",
  board: "brd",
  filter: "flt",
};

/** With some identifier of the right kind; one of another kind names nothing, which is 404 for everyone. */
function samplePath(contract: { path: string }): string {
  const kind = idKinds[/\/([\w-]+?)s\/:id/.exec(contract.path)?.[1] ?? ""] ?? "tok";
  return contract.path
    .replace(":schedule", "remove_old_events")
    .replaceAll(/:\w+/g, `${kind}_01jbcdefghjkmnpqrstvwxyz00`);
}

test("every operation with a user answers 401 without a token", async () => {
  for (const contract of server.http.binder.contracts()) {
    if (contract.access !== "user" && contract.access !== "instance_admin") continue;
    const path = samplePath(contract);
    const answer = await server.api(contract.method.toUpperCase(), path);
    expect([contract.id, answer.status]).toEqual([contract.id, 401]);
  }
});

test("every operation refuses a token without its scope", async () => {
  const eve = await server.person("eve", { scopes: ["audit:read"] });
  for (const contract of server.http.binder.contracts()) {
    if (contract.scope === undefined) continue;
    const path = contract.path
      .replace(":owner/:repo", "eve/none")
      .replace(":id", contract.path.startsWith("/user") ? "tok_01jbcdefghjkmnpqrstvwxyz00" : "1")
      .replaceAll(/:\w+/g, "1");
    const answer = await server.api(contract.method.toUpperCase(), path, { token: eve.token });
    // A parameter that cannot name anything is 404 before permission is looked at.
    if (answer.status === 404) continue;
    expect([contract.id, answer.status, answer.json?.required_scopes]).toEqual([
      contract.id,
      403,
      [contract.scope],
    ]);
  }
});

test("what could take an account over needs a token with every scope", async () => {
  const almost = scopes.filter((scope) => scope !== "audit:read");
  const sam = await server.person("sam", { scopes: almost, isAdmin: true });
  const guarded = server.http.binder.contracts().filter((contract) => contract.everyScope);
  expect(guarded.map((contract) => contract.id)).toEqual(
    expect.arrayContaining([
      "changePassword",
      "createEmail",
      "createPasskey",
      "createSshKey",
      "disableTwoFactor",
    ]),
  );
  for (const contract of guarded) {
    const answer = await server.api(contract.method.toUpperCase(), samplePath(contract), {
      token: sam.token,
    });
    expect([contract.id, answer.status, answer.json.required_scopes]).toEqual([
      contract.id,
      403,
      ["audit:read"],
    ]);
  }
});
