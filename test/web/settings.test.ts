/** One's own settings: each page empty and filled, and what can be done there. */
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { newSshKeyLine } from "../support/ssh-key-line.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const harmful = "<img src=x onerror=alert(1)>";

describe("settings", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let page: Page;
  /** Ada besides the page. */
  let sender: Sender;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    await signUp(server, "ada", password);
    ada = await openVisitor(browser, server.webUrl);
    page = ada.page;
    await ada.signIn("ada", password);
    sender = openBrowser(server);
    await sender.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

  test.for("password sessions tokens/new keys oauth-apps two-factor sso storage nothing".split(" "))(
    "/settings/%s is a good page",
    async (path) => {
      await ada.goto(`/settings/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await lookAtPage(ada);
    },
  );

  test("a new name shows at once, everywhere", async () => {
    await ada.goto("/");
    await button("Your account").click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByLabel("Name", { exact: true }).fill(harmful);
    await page.getByRole("checkbox").check();
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    await lookAtPage(ada);
    await button("Your account").click();
    await page.getByText(`${harmful} (ada)`).waitFor();
    expect((await sender.send("GET", "/user")).json).toMatchObject({ name: harmful, email_public: true });
  });

  test("an address is added and removed", async () => {
    await ada.goto("/settings/emails");
    await button("Add an address").click();
    await page.getByRole("dialog").getByLabel("Address").fill("ada@work.example.com");
    await inDialog("Add").click();
    await page.getByText("A mail with a code is on its way.").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Remove: ada@work.example.com" }).click();
    await inDialog("Remove").click();
    await page.getByText("ada@work.example.com", { exact: true }).waitFor({ state: "detached" });
  });

  test("a token is made within limits, shown once, and revoked", async () => {
    await server.api("POST", "/repos", {
      token: (
        await sender.send("POST", "/user/tokens", {
          name: "other",
          scopes: ["repo:write"],
        })
      ).json.token,
      body: { name: "compiler" },
    });
    await ada.goto("/settings/tokens");
    await page.getByRole("link", { name: "New token" }).click();
    await page.getByLabel("Name", { exact: true }).fill(harmful);
    await page.getByLabel("repo:read").check();
    await page.getByLabel("Only for these repositories").fill("ada/no-such");
    await page.getByLabel("Only from these addresses").fill("127.0.0.0/8\n::1");
    await button("Create token").click();
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(harmful);
    await page.getByLabel("Only for these repositories").fill("ada/compiler");
    await button("Create token").click();
    const token = await page.getByLabel("Token", { exact: true }).inputValue();
    ada.forgiveRefusals();
    await lookAtPage(ada);
    expect((await server.api("GET", "/repos/ada/compiler", { token })).status).toBe(200);
    await page.getByRole("link", { name: "All tokens" }).click();
    await page.getByText("Limits: ada/compiler, 127.0.0.0/8, ::1").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: `Revoke ${harmful}` }).click();
    await inDialog("Revoke").click();
    await page.getByText("Limits:").waitFor({ state: "detached" });
    expect((await server.api("GET", "/repos/ada/compiler", { token })).status).toBe(401);
  });

  test("an SSH key is added, refused when it is none, and removed", async () => {
    await ada.goto("/settings/keys");
    await button("Add a key").click();
    await page.getByLabel("Public key").fill("no key");
    await inDialog("Add key").click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Public key").fill(newSshKeyLine(harmful));
    await inDialog("Add key").click();
    await page.getByText(/^SHA256:/).waitFor();
    ada.forgiveRefusals();
    await lookAtPage(ada);
    await page.getByRole("button", { name: `Remove ${harmful}` }).click();
    await inDialog("Remove").click();
    await page.getByText("No SSH key yet").waitFor();
  });

  test("other sessions end, this one stays", async () => {
    await ada.goto("/settings/sessions");
    await page.getByText("this one").waitFor();
    await button("End all others").click();
    await inDialog("End all others").click();
    await page.getByText("Ended.").waitFor();
    expect((await sender.send("GET", "/user")).status).toBe(401);
    await sender.signIn("ada", password);
    expect(await page.getByText("this one").count()).toBe(1);
  });

  test("an app is registered, edited, gets a new secret, and is deleted", async () => {
    await ada.goto("/settings/oauth-apps/new");
    await page.getByLabel("Name", { exact: true }).fill(harmful);
    await page.getByLabel("Redirect addresses").fill("https://app.example.com/back");
    await page.getByLabel("repo:read").check();
    await button("Create app").click();
    const secret = await page.getByLabel("Client secret", { exact: true }).inputValue();
    expect(secret).not.toBe("");
    await lookAtPage(ada);
    await page.getByRole("link", { name: "All apps" }).click();
    await page.getByRole("button", { name: `Edit: ${harmful}` }).waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: `Edit: ${harmful}` }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("builder");
    await inDialog("Save").click();
    await page.getByRole("button", { name: "New secret: builder" }).click();
    await inDialog("Create secret").click();
    const shown = page.getByRole("dialog").getByLabel("Client secret", { exact: true });
    expect(await shown.inputValue()).not.toBe(secret);
    await inDialog("Close").click();
    await page.getByRole("button", { name: "Delete: builder" }).click();
    await inDialog("Delete").click();
    await page.getByText("No app yet").waitFor();
  });

  test("what an app was allowed is withdrawn", async () => {
    const { token } = await server.person("maker");
    const app = await server.api("POST", "/user/oauth-apps", {
      token,
      body: { name: harmful, redirect_uris: [`${server.webUrl}/-/components`], scopes: ["user:read"] },
    });
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: app.json.client_id,
      redirect_uri: `${server.webUrl}/-/components`,
      scope: "user:read",
      state: "here",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const path = `/oauth/authorize?${asked.toString()}`;
    const stranger = await openVisitor(browser, server.webUrl);
    await stranger.goto(path);
    await stranger.page.getByLabel("User name").fill("ada");
    await stranger.page.getByLabel("Password").fill(password);
    await stranger.page.getByRole("button", { name: "Sign in" }).click();
    await stranger.page.getByRole("heading", { name: /access to your account/ }).waitFor();
    stranger.forgiveRefusals();
    await lookAtPage(stranger);
    await stranger.page.getByRole("button", { name: "Allow" }).click();
    await stranger.page.waitForURL(/\/-\/components\?code=.*state=here/);
    await stranger.goto(path.replace("user%3Aread", "root"));
    await stranger.page.waitForURL(/\/-\/components\?error=invalid_scope.*state=here/);
    await stranger.close();
    await ada.goto("/settings/grants");
    await page.getByText("by maker").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: `Withdraw access of ${harmful}` }).click();
    await inDialog("Withdraw").click();
    await page.getByText("No app may act for you").waitFor();
  });

  test("a passkey is added, signs in alone, and is removed", async () => {
    const devices = await ada.context.newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await ada.goto("/settings/passkeys");
    await button("Add a passkey").click();
    await page.getByRole("dialog").getByLabel("Name").fill(harmful);
    await page.getByLabel("Your password").fill("not the password");
    await inDialog("Continue").click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Your password").fill(password);
    await inDialog("Continue").click();
    await page.getByText("The passkey is added.").waitFor();
    ada.forgiveRefusals();
    await lookAtPage(ada);
    await button("Your account").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    // A new page; a link of the old one would lead nowhere.
    await page.waitForURL(`${server.webUrl}/`);
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await button("Your account").waitFor();
    ada.forgiveRefusals();
    await ada.goto("/settings/passkeys");
    await page.getByRole("button", { name: `Remove ${harmful}` }).click();
    await inDialog("Remove").click();
    await page.getByText("No passkey yet").waitFor();
  });

  test("a second factor is turned on, its codes replaced, and turned off", async () => {
    await ada.goto("/settings/two-factor");
    await page.getByLabel("Your password").fill(password);
    await button("Turn on").click();
    const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
    const code = page.getByRole("img", { name: "QR code with the secret" }).locator("path");
    await expect.poll(() => code.getAttribute("d")).toMatch(/^M0 0h1v1h-1z/);
    await lookAtPage(ada);
    await page.getByLabel("Code that the app shows").fill(generateSync({ secret }));
    await button("Confirm and turn on").click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    const first = await page.getByLabel("Recovery codes", { exact: true }).textContent();
    expect(first?.split("\n")).toHaveLength(10);
    await lookAtPage(ada);
    await button("I have saved them").click();
    await page.getByText("10 recovery codes are left.").waitFor();
    await lookAtPage(ada);
    await button("New recovery codes").click();
    await page.getByLabel("Your password").fill(password);
    await inDialog("Replace").click();
    await button("I have saved them").waitFor();
    expect(await page.getByLabel("Recovery codes", { exact: true }).textContent()).not.toBe(first);
    await button("I have saved them").click();
    await button("Turn off").click();
    await page.getByLabel("Your password").fill(password);
    await inDialog("Turn off").click();
    await page.getByText("It is off").waitFor();
  });

  test("a new password leads to the sign-in, and back", async () => {
    await ada.goto("/settings/password");
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("another good password");
    await button("Change password").click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Current password").fill(password);
    await button("Change password").click();
    await page.getByText("Sign in with the new one.").waitFor();
    await page.getByLabel("User name").fill("ada");
    await page.getByLabel("Password").fill("another good password");
    await button("Sign in").click();
    await page.waitForURL(`${server.webUrl}/settings/password`);
  });
});
