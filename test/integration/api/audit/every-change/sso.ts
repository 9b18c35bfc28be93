/** What changes an organization's single sign-on, and whom it signs in. */
import { openBrowser, signUp } from "../../../../support/browser.ts";
import type { TestProvider } from "../../../../support/oidc-provider.ts";
import { openVisitor, type PageAnswer } from "../../../../support/sso.ts";
import type { Driver } from "./driver.ts";

const password = "a long enough password";

/** Somebody new, linked to acme's provider; gives the identity's id. */
async function link({ server }: Driver, provider: TestProvider, username: string): Promise<string> {
  await signUp(server, username, password);
  provider.person = { sub: username };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("linked");
  const linked: PageAnswer = await visitor.submit("/login/sso-account/existing", { username, password });
  if (linked.status !== 303) throw new Error(`linking gave ${linked.status}: ${linked.text}`);
  const row = await server.container.platform.db.one<{ id: string }>(
    "select id from sso_identities where subject = $1",
    [username],
  );
  return row?.id ?? "";
}

export async function changeSso(driver: Driver, provider: TestProvider, ada: string): Promise<void> {
  const { change, server } = driver;
  const { json: organization } = await server.api("POST", "/orgs", { token: ada, body: { name: "linked" } });
  provider.register("forgeline", `${server.webUrl}/login/sso/callback/${organization.id}`);
  const path = { org: "linked" };
  const body = {
    issuer: provider.issuer,
    client_id: "forgeline",
    client_secret: provider.clientSecret,
    provision: true,
  };
  await change("setSso", { by: ada, path, body });
  const id = await link(driver, provider, "lou");
  await change("deleteSsoIdentity", { by: ada, path: { ...path, id } });
  const own = await link(driver, provider, "lea");
  const browser = openBrowser(server);
  await browser.signIn("lea", password);
  await change("deleteOwnSsoIdentity", { by: browser, path: { id: own } });
  await change("deleteSso", { by: ada, path });
}
