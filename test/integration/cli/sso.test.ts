/** `forgeline org sso`: an owner sets it with a secret that shows nowhere; members see and part their links. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { startProvider, type TestProvider } from "../../support/oidc-provider.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { openVisitor } from "../../support/sso.ts";

let provider: TestProvider;
let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  provider = await startProvider();
  people = await peopleAtTerminals({ env: { ...provider.env, FORGELINE_SIGN_UP: "open" } });
  ada = await people.server.person("ada");
  await people.told(ada, "org", "create", "acme");
});
afterAll(async () => {
  await people.stop();
  await provider.stop();
});

test("is set with a secret from standard input, shown without it, used, and removed", async () => {
  const { server } = people;
  const { id } = await people.json(ada, "org", "view", "acme");
  provider.register("forgeline", `${server.webUrl}/login/sso/callback/${id}`);
  const wanted = ["--issuer", provider.issuer, "--client-id", "forgeline", "--provision"];
  const without = await people.as(ada, "org", "sso", "set", "acme", ...wanted);
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("requires its secret")]);
  const empty = await people.cli.run(["org", "sso", "set", "acme", ...wanted, "--secret"], {
    env: { FORGELINE_TOKEN: ada.token },
  });
  expect([empty.code, empty.stderr]).toEqual([2, "error: no client secret was given\n"]);
  const set = await people.cli.run(["org", "sso", "set", "acme", ...wanted, "--secret"], {
    env: { FORGELINE_TOKEN: ada.token },
    input: `${provider.clientSecret}\n`,
  });
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect(set.stdout).toContain(`redirect address\t${server.webUrl}/login/sso/callback/${id}\n`);
  expect(set.stdout).not.toContain(provider.clientSecret);
  expect(await people.told(ada, "org", "sso", "view", "acme")).toBe(set.stdout);
  const domains = ["--email-domain", "example.com", "example.org", "--disable"];
  expect(await people.json(ada, "org", "sso", "set", "acme", ...wanted, ...domains)).toMatchObject({
    email_domains: ["example.com", "example.org"],
    enabled: false,
  });
  await people.told(ada, "org", "sso", "set", "acme", ...wanted);

  provider.person = { sub: "ben-1" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("acme");
  await visitor.submit("/login/sso-account/new", { username: "ben" });
  expect(await visitor.whoAmI()).toBe("ben");
  expect(await people.told(ada, "org", "sso", "identities", "acme")).toMatch(/^idn_\S+\tben\tben-1\t\S+Z\n$/);
  const [identity] = await people.json(ada, "org", "sso", "identities", "acme");
  expect(await people.told(ada, "org", "sso", "identities")).toBe("");
  expect(await people.told(ada, "org", "sso", "unlink", identity.id, "--org", "acme")).toBe(
    `unlinked ${identity.id}\n`,
  );
  expect(await visitor.whoAmI()).toBeUndefined();
  expect((await people.as(ada, "org", "sso", "unlink", identity.id)).code).toBe(1);
  expect(await people.told(ada, "org", "sso", "remove", "acme")).toBe(
    "acme has no single sign-on any more\n",
  );
  expect((await people.as(ada, "org", "sso", "view", "acme")).code).toBe(1);
});
