/** The pages of an organization: for its owners, for its members, and for others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { lfsObject, lfsUpload } from "../support/lfs-server.ts";
import { openBrowser, signUp, type Browser as Session } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { tryToDismiss } from "../support/web/try-to-dismiss.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const markup = "<img src=x onerror=alert(1)>";

describe("organizations", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let bob: Visitor;
  let page: Page;
  /** Ada over REST. */
  let rest: Session;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    await Promise.all(["ada", "bob", "carl"].map((name) => signUp(server, name, password)));
    rest = openBrowser(server);
    await rest.signIn("ada", password);
    [ada, bob] = await Promise.all([
      openVisitor(browser, server.webUrl),
      openVisitor(browser, server.webUrl),
    ]);
    page = ada.page;
    await Promise.all([ada.signIn("ada", password), bob.signIn("bob", password)]);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const read = async (path: string) => (await rest.send("GET", path)).json;
  const dialog = () => page.getByRole("dialog");
  const confirm = (name: string) => dialog().getByRole("button", { name, exact: true }).click();

  test("one is made, and stands among one's own", async () => {
    await ada.goto("/orgs");
    await page.getByText("No organization yet").waitFor();
    await lookAtPage(ada);
    await page.getByRole("link", { name: "New organization" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("bob");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("alert").first().waitFor();
    ada.forgiveRefusals();
    await lookAtPage(ada);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("acme");
    await page.getByLabel("Full name").fill(markup);
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL(`${server.webUrl}/orgs/acme`);
    await page.getByText("No repository yet").waitFor();
    await rest.send("POST", "/repos", { owner: "acme", name: "tables", description: markup });
    await ada.goto("/orgs/acme");
    await page.getByRole("link", { name: "tables" }).waitFor();
    await lookAtPage(ada);
    await ada.goto("/orgs");
    await page.getByRole("link", { name: "acme" }).waitFor();
    await lookAtPage(ada);
  });

  test("people join at once or by invitation, change roles, and are removed", async () => {
    await ada.goto("/orgs/acme/people");
    await page.getByRole("button", { name: "Add a member" }).click();
    await dialog().getByLabel("User name").fill("bob");
    await confirm("Add");
    await page.getByRole("button", { name: "Remove bob" }).waitFor();
    await page.getByLabel("Role of bob").selectOption("owner");
    await page.getByText("Saved.").first().waitFor();
    await page.getByLabel("Role of bob").selectOption("member");
    await lookAtPage(ada);
    await expect.poll(() => read("/orgs/acme/members/bob")).toMatchObject({ role: "member" });

    await page.getByRole("link", { name: "Invitations" }).click();
    await page.getByText("No open invitations").waitFor();
    await page.getByRole("button", { name: "Invite" }).click();
    await dialog().getByLabel("User name").fill("carl");
    await confirm("Invite");
    await page.getByRole("button", { name: "Revoke carl" }).waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Revoke carl" }).click();
    await confirm("Revoke");
    await page.getByText("No open invitations").waitFor();
  });

  test("the last owner who would leave is told why not", async () => {
    await ada.goto("/orgs/acme/people");
    await page.getByRole("button", { name: "Leave" }).click();
    await confirm("Leave");
    await dialog().getByRole("alert").waitFor();
    ada.forgiveRefusals();
  });

  test("teams are a tree; each has members and grants, and passes them on", async () => {
    await ada.goto("/orgs/acme/teams");
    await page.getByRole("button", { name: "New team" }).click();
    await dialog().getByLabel("Name").fill("backend");
    await dialog().getByLabel("Description").fill(markup);
    await confirm("Add");
    await page.waitForURL(`${server.webUrl}/orgs/acme/teams/backend`);
    await page.getByRole("button", { name: "Grant access" }).click();
    await dialog().getByLabel("Repository").fill("tables");
    await dialog().getByLabel("Access").selectOption("triage");
    await confirm("Grant access");
    await page.getByLabel("What the team may do with tables").selectOption("write");
    await page.getByText("Saved.").first().waitFor();
    await page.getByRole("button", { name: "New team" }).click();
    await dialog().getByLabel("Name").fill("database");
    await dialog().getByLabel("Secret").check();
    await confirm("Add");
    await page.waitForURL(`${server.webUrl}/orgs/acme/teams/backend/database`);
    await page.getByText("Write via").waitFor();
    await page.getByRole("button", { name: "Add a member" }).click();
    await dialog().getByLabel("User name").fill("bob");
    await dialog().getByLabel("Role").selectOption("maintainer");
    await confirm("Add");
    await page.getByRole("button", { name: "Remove bob" }).waitFor();
    await lookAtPage(ada);
    expect(await read("/orgs/acme/teams/backend%2Fdatabase/members")).toMatchObject([
      { user: { username: "bob" }, role: "maintainer" },
    ]);
    await page.getByRole("link", { name: "Teams" }).click();
    await page.getByRole("link", { name: "database" }).waitFor();
    await lookAtPage(ada);

    await bob.goto("/orgs/acme/teams/backend/database");
    await bob.page.getByRole("button", { name: "Change" }).waitFor();
    await bob.goto("/orgs/acme/teams/backend");
    await bob.page.getByText(markup).last().waitFor();
    await lookAtPage(bob);
    expect(await bob.page.getByRole("button", { name: "Change" }).count()).toBe(0);

    await ada.goto("/orgs/acme/teams/backend/database");
    await page.getByRole("button", { name: "Change" }).click();
    await dialog().getByLabel("Name").fill("storage");
    await dialog().getByLabel("In the team").selectOption("");
    await confirm("Save");
    await page.waitForURL(`${server.webUrl}/orgs/acme/teams/storage`);
    await page.getByText("It has no access to repositories yet.").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirm("Delete");
    await page.waitForURL(`${server.webUrl}/orgs/acme/teams`);
    expect((await read("/orgs/acme/teams")).map(({ name }: { name: string }) => name)).toEqual(["backend"]);
  });

  test("bots act with tokens of their own, which are shown once", async () => {
    await ada.goto("/orgs/acme/bots");
    await page.getByRole("button", { name: "New bot" }).click();
    await dialog().getByRole("textbox", { name: "Name", exact: true }).fill("robot");
    await dialog().getByLabel("repo:read").check();
    await confirm("Add");
    await page.getByRole("button", { name: "New token of robot" }).click();
    await dialog().getByLabel("What it is for").fill(markup);
    await dialog().getByLabel("repo:read").check();
    await confirm("Add");
    const value = await dialog().getByLabel("Token", { exact: true }).inputValue();
    await lookAtPage(ada);
    expect((await server.api("GET", "/user/repos", { token: value })).status).toBe(200);
    await tryToDismiss(page);
    await confirm("Close");
    await lookAtPage(ada);
    await page.getByRole("button", { name: `Revoke ${markup}` }).click();
    await confirm("Revoke");
    await page.getByText("It has no token to act with yet.").waitFor();
    expect((await server.api("GET", "/user/repos", { token: value })).status).toBe(401);
    await page.getByRole("button", { name: "Delete robot?" }).click();
    await confirm("Delete");
    await page.getByText("No bots").waitFor();
  });

  test("OAuth apps are the organization's: each owner makes and changes them", async () => {
    await ada.goto("/orgs/acme/oauth-apps");
    await page.getByText("No app yet").waitFor();
    await page.getByRole("link", { name: "New app" }).click();
    await page.getByLabel("Name", { exact: true }).fill(markup);
    await page.getByLabel("Redirect addresses").fill("https://app.example/callback");
    await page.getByLabel("repo:read").check();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Create app" }).click();
    await page.getByLabel("Client secret", { exact: true }).waitFor();
    await page.getByRole("link", { name: "All apps" }).click();
    await page.getByRole("button", { name: `Edit: ${markup}` }).waitFor();
    await lookAtPage(ada);
    const [app] = await read("/orgs/acme/oauth-apps");
    expect(app).toMatchObject({ owner: "acme", web_url: `${page.url()}#${app.id}` });
    await page.getByRole("button", { name: `New secret: ${markup}` }).click();
    await confirm("Create secret");
    await dialog().getByLabel("Client secret", { exact: true }).waitFor();
    await tryToDismiss(page);
    await confirm("Close");
    await page.getByRole("button", { name: `Delete: ${markup}` }).click();
    await confirm("Delete");
    await page.getByText("No app yet").waitFor();
    expect(await read("/user/oauth-apps")).toEqual([]);
  });

  test("single sign-on says what is wrong with a provider", async () => {
    await ada.goto("/orgs/acme/sso");
    await page.getByLabel("Issuer").fill("https://127.0.0.1:1/");
    await lookAtPage(ada);
    await page.getByLabel("Client ID").fill("forgeline");
    await page.getByLabel("Client secret").fill("secret");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("Client ID").inputValue()).toBe("forgeline");
    ada.forgiveRefusals();
  });

  test("the audit log is searched, shows all of an entry, and is proven", async () => {
    await ada.goto("/orgs/acme/audit-log");
    await page.getByRole("cell", { name: "org.create", exact: true }).waitFor();
    await lookAtPage(ada);
    await page.getByLabel("Action", { exact: true }).fill("repo.create");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/action=repo.create/);
    await page.getByRole("cell", { name: "org.create", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Details of repo.create" }).click();
    await dialog().getByText("Address").waitFor();
    await lookAtPage(ada);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Verify the log" }).click();
    await dialog()
      .getByText(/^Intact: none of \d+ entries/)
      .waitFor();
    await lookAtPage(ada);
  });

  test("plan and storage show what is used of what there is", async () => {
    const { db } = server.container.platform;
    await db.query("insert into lfs_quotas select id, 10000 from organizations");
    const { token } = (
      await rest.send("POST", "/user/tokens", { name: "lfs", scopes: ["repo:write", "org:admin"] })
    ).json;
    for (const [method, path] of [
      ["POST", "/repos"],
      ["DELETE", "/repos/acme/gone"],
    ] as const)
      await rest.send(method, path, { owner: "acme", name: "gone" });
    await lfsUpload(server, "acme/tables", lfsObject("x".repeat(8_500)), token);
    await ada.goto("/orgs/acme/storage");
    await page.getByText("8.5 KB of 10.0 KB").waitFor();
    await page.getByRole("meter", { name: "Git LFS storage" }).waitFor();
    await page.getByRole("link", { name: "acme/tables" }).waitFor();
    await page.getByText("deleted", { exact: true }).waitFor();
    await lookAtPage(ada);
  });

  test("settings are for owners; who is no member sees repositories alone", async () => {
    await ada.goto("/orgs/acme/settings");
    await page.getByLabel("Members can create repositories").uncheck();
    await page.getByLabel("Description").fill(markup);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await lookAtPage(ada);
    expect(await read("/orgs/acme")).toMatchObject({
      members_can_create_repositories: false,
      description: markup,
    });
    await bob.goto("/orgs/acme/settings");
    await bob.page.getByRole("heading", { name: "Nothing here" }).waitFor();
    expect(await bob.page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.goto("/orgs/acme");
    await visitor.page.getByText("No repository that you can see").waitFor();
    expect(await visitor.page.getByRole("link", { name: "People" }).count()).toBe(0);
    await visitor.close();
  });

  test("it is deleted once its name is typed, and only without repositories", async () => {
    await rest.send("POST", "/orgs", { name: "empty" });
    for (const name of ["acme", "empty"]) {
      await ada.goto(`/orgs/${name}/settings`);
      await page.getByRole("button", { name: "Delete" }).click();
      await dialog().getByLabel(`Type ${name} to confirm`).fill(name);
      await confirm("Delete");
      if (name === "acme") await dialog().getByText("The organization still has repositories").waitFor();
      ada.forgiveRefusals();
    }
    await page.waitForURL(`${server.webUrl}/orgs`);
    expect((await rest.send("GET", "/orgs/empty")).status).toBe(404);
  });
});
