/** Getting in: signing up, proving an address, a forgotten password, and the ways besides the password. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

interface Mail {
  to: string;
  kind: string;
  text: string;
}

describe("getting in", () => {
  let server: ApiServer;
  let browser: Browser;
  let admin: TestPerson;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    admin = await server.person("root-admin", { isAdmin: true });
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  /** Somebody who is not signed in. */
  async function openStranger(path: string): Promise<Visitor> {
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.goto(path);
    return visitor;
  }

  /** The link of the newest mail of a kind to an address, as a path. */
  function linkIn(kind: string, to: string): Promise<string> {
    return eventually(async () => {
      const { json } = await server.api("GET", "/admin/mails?per_page=100", { token: admin.token });
      const mail = (json as Mail[]).find((each) => each.to === to && each.kind === kind);
      const link = /https:\S+#svc_once_\S+/.exec(mail?.text ?? "")?.[0];
      return link?.slice(server.webUrl.length);
    });
  }

  test("somebody makes an account, proves the address, forgets the password and sets a new one", async () => {
    const grace = await openStranger("/login?next=%2F-%2Fcomponents");
    const { page } = grace;
    await lookAtPage(grace);
    await page.getByRole("link", { name: "Create one" }).click();
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await lookAtPage(grace);
    await page.getByLabel("User name").fill("grace");
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByLabel("Name", { exact: true }).fill("Grace <img src=x onerror=alert(1)>");
    await page.getByLabel("Password").fill("aaaaaaaaaaaa");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("User name").inputValue()).toBe("grace");
    grace.forgiveRefusals();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(`${server.webUrl}/-/components`);

    await page.goto(`${server.webUrl}${await linkIn("verify_email", "grace@example.com")}`);
    await page.getByRole("heading", { name: "Confirm your e-mail address" }).waitFor();
    await lookAtPage(grace);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("The address is confirmed.").waitFor();
    await grace.close();

    const later = await openStranger("/login");
    await later.page.getByRole("link", { name: "Forgot your password?" }).click();
    await later.page.getByRole("heading", { name: "Forgotten password" }).waitFor();
    await lookAtPage(later);
    await later.page.getByLabel("E-mail address").fill("grace@example.com");
    await later.page.getByRole("button", { name: "Send the mail" }).click();
    await later.page.getByText("a mail is on its way").waitFor();
    await later.page.goto(`${server.webUrl}${await linkIn("reset_password", "grace@example.com")}`);
    await later.page.getByRole("heading", { name: "Set a new password" }).waitFor();
    await lookAtPage(later);
    await later.page.getByLabel("Password").fill("another good password");
    await later.page.getByRole("button", { name: "Set password" }).click();
    await later.page.getByText("The new password is set").waitFor();
    await later.signInByPage("grace", "another good password");
    await later.close();
  });

  test("a wrong code is told beside its field, and stays there", async () => {
    const visitor = await openStranger("/reset-password");
    await visitor.page.getByLabel("Code").fill("svc_once_of_nobody");
    await visitor.page.getByLabel("Password").fill(password);
    await visitor.page.getByRole("button", { name: "Set password" }).click();
    await visitor.page.getByText("The token is invalid, already used, or expired.").first().waitFor();
    expect(await visitor.page.getByLabel("Code").inputValue()).toBe("svc_once_of_nobody");
    await visitor.close();
  });

  test("where sign-up is closed the page says so, and the sign-in does not offer it", async () => {
    const set = (sign_up: string | null) =>
      server.api("PATCH", "/admin/settings", { token: admin.token, body: { sign_up } });
    await set("closed");
    const visitor = await openStranger("/sign-up");
    await visitor.page.getByRole("heading", { name: "Sign-up is closed" }).waitFor();
    await lookAtPage(visitor);
    await visitor.page.getByRole("link", { name: "Back to sign-in" }).click();
    await visitor.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await visitor.page.getByRole("link", { name: "Create one" }).count()).toBe(0);
    await set(null);
    await visitor.close();
  });

  test("whose organization has a provider goes on there", async () => {
    const visitor = await openStranger("/login");
    await visitor.page.getByRole("button", { name: "Use your organization" }).click();
    await visitor.page.getByLabel("Organization").fill("no such org");
    await lookAtPage(visitor);
    await visitor.page.getByLabel("Organization").fill("acme");
    await visitor.page.getByRole("button", { name: "Continue" }).click();
    await visitor.page.waitForURL(`${server.webUrl}/login/sso/acme`);
    await visitor.close();
  });

  test("a user's page shows to each the repositories that they may see; an organization's name leads to its pages", async () => {
    const { token } = await server.person("hopper");
    const description = "<img src=x onerror=alert(1)>";
    for (const name of ["hidden", "shown"])
      await server.api("POST", "/repos", { token, body: { name, description, private: name === "hidden" } });
    await server.api("POST", "/orgs", { token, body: { name: "navy" } });
    const listed = await server.api("GET", "/users/Hopper/repos", { token });
    expect(listed.json.map((each: { name: string }) => each.name)).toEqual(["hidden", "shown"]);
    expect((await server.api("GET", "/users/nobody-at-all/repos")).status).toBe(404);
    const visitor = await openStranger("/hopper");
    await visitor.page.getByRole("link", { name: "shown" }).waitFor();
    expect(await visitor.page.getByRole("link", { name: "hidden" }).count()).toBe(0);
    await lookAtPage(visitor);
    await visitor.goto("/NAVY");
    await visitor.page.waitForURL(`${server.webUrl}/orgs/navy`);
    await visitor.page.getByText("No repository that you can see").waitFor();
    // Nobody is signed in; beyond that every request has an answer.
    expect(visitor.troubles.splice(0).filter((trouble) => !trouble.includes("401"))).toEqual([]);
    await lookAtPage(visitor);
    await visitor.goto("/nobody-at-all");
    await visitor.page.getByRole("heading", { name: "Nothing here" }).waitFor();
    await visitor.close();
  });

  test("who was invited to organizations is told, joins one and declines another", async () => {
    const owner = await server.person("olga");
    await signUp(server, "ivy", password);
    for (const name of ["globex", "other-corp"]) {
      await server.api("POST", "/orgs", { token: owner.token, body: { name } });
      await server.api("POST", `/orgs/${name}/invitations`, {
        token: owner.token,
        body: { username: "ivy", role: "member" },
      });
    }
    const ivy = await openVisitor(browser, server.webUrl);
    const { page } = ivy;
    await ivy.signIn("ivy", password);
    await ivy.goto("/settings/invitations");
    await page.getByText("other-corp").waitFor();
    await lookAtPage(ivy);
    await page.getByRole("button", { name: "Accept: globex" }).click();
    await page.waitForURL(`${server.webUrl}/orgs/globex`);
    await page.getByText("Welcome to globex: you are a member now.").waitFor();
    await ivy.goto("/");
    await page.getByText("You are invited to join other-corp.").waitFor();
    await lookAtPage(ivy);
    await page.getByRole("link", { name: "Accept or decline" }).click();
    await page.getByRole("button", { name: "Decline: other-corp" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await page.getByText("No open invitation").waitFor();
    const role = async (org: string) =>
      (await server.api("GET", `/orgs/${org}/members/ivy`, { token: owner.token })).json.role;
    expect([await role("globex"), await role("other-corp")]).toEqual(["member", undefined]);
    await ivy.close();
  });
});
