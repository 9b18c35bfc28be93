/** What people do to their own accounts, from sign-up to the last session. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import { expect } from "vitest";
import { openBrowser, type Browser } from "../../../../support/browser.ts";
import { eventually } from "../../../../support/eventually.ts";
import { callback, codeFor, exchange, registerApp } from "../../../../support/oauth.ts";
import { needs } from "../../../../support/programs/needs.ts";
import { softwarePasskey } from "../../../../support/software-passkey.ts";
import { openPgpKey } from "../../../../support/openpgp-key.ts";
import type { Driver } from "./driver.ts";

const password = "a long enough password";
const later = "another long password";

export function publicKey(driver: Driver, name: string): string {
  needs("ssh-keygen");
  const file = join(driver.server.dataDir, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  return readFileSync(`${file}.pub`, "utf8");
}

async function mailedToken(driver: Driver, admin: string, to: string, kind: string): Promise<string> {
  let token: string | undefined;
  await eventually(async () => {
    const { json } = await driver.server.api("GET", "/admin/mails?per_page=100", { token: admin });
    const mail = (json as { to: string; kind: string; text: string }[]).find(
      (one) => one.to === to && one.kind === kind,
    );
    token = /svc_once_\S+/.exec(mail?.text ?? "")?.[0];
    return token !== undefined;
  });
  return token ?? "";
}

async function signIn(driver: Driver, username: string, secret = password): Promise<Browser> {
  const browser = openBrowser(driver.server);
  await driver.change("createSession", { send: () => browser.signIn(username, secret) });
  return browser;
}

async function emails({ change, ...driver }: Driver, browser: Browser, admin: string): Promise<void> {
  const made = await change("createEmail", { by: browser, body: { email: "second@example.com" } });
  const path = { id: made.json.id as string };
  await change("requestEmailVerification", { by: browser, path });
  for (const email of ["wanda@example.com", "second@example.com"]) {
    const token = await mailedToken({ change, ...driver }, admin, email, "verify_email");
    await change("verifyEmail", { body: { token } });
  }
  await change("updateEmail", { by: browser, path, body: { primary: true } });
  const first = (await browser.send("GET", "/user/emails")).json.find(
    ({ email }: { email: string }) => email === "wanda@example.com",
  );
  await change("deleteEmail", { by: browser, path: { id: first.id } });
}

async function secondFactor({ change, ...driver }: Driver, browser: Browser, admin: string): Promise<void> {
  for (const end of ["disableTwoFactor", "removeUserTwoFactor"]) {
    const { secret } = (await change("prepareTwoFactor", { by: browser, body: { password } })).json;
    await change("enableTwoFactor", { by: browser, body: { otp: generateSync({ secret }) } });
    await change("renewRecoveryCodes", { by: browser, body: { password } });
    if (end === "disableTwoFactor") await change(end, { by: browser, body: { password } });
    else await change(end, { by: admin, path: { username: "wanda" } });
  }
  expect((await openBrowser(driver.server).signIn("wanda", password)).status).toBe(201);
}

async function passkeys({ change, server }: Driver, browser: Browser): Promise<void> {
  const passkey = softwarePasskey();
  const here = (challenge: string) => ({ challenge, origin: server.webUrl, rpId: "localhost" });
  const registration = async () => {
    const { challenge, user } = (await change("preparePasskey", { by: browser, body: { password } })).json;
    return { name: "phone", credential: passkey.create(here(challenge), user.id) };
  };
  const made = await change("createPasskey", { by: browser, makeBody: registration });
  const answer = async () => ({
    credential: passkey.get(here((await change("preparePasskeySignIn")).json.challenge)),
  });
  await change("createPasskeySession", { by: openBrowser(server), makeBody: answer });
  await change("deletePasskey", { by: browser, path: { id: made.json.id } });
}

async function keysAndTokens(driver: Driver, browser: Browser): Promise<void> {
  const { change } = driver;
  const key = await change("createSshKey", { by: browser, body: { key: publicKey(driver, "own") } });
  await change("deleteSshKey", { by: browser, path: { id: key.json.id } });
  const gpgKey = await change("createGpgKey", { by: browser, body: { key: openPgpKey } });
  await change("deleteGpgKey", { by: browser, path: { id: gpgKey.json.id } });
  const token = await change("createToken", { by: browser, body: { name: "x", scopes: ["repo:read"] } });
  await change("revokeToken", { by: browser, path: { id: token.json.id } });
}

async function apps(driver: Driver, browser: Browser): Promise<void> {
  const { change, server } = driver;
  const maker = (await server.person("maker")).token;
  const body = { name: "CI", redirect_uris: [callback], scopes: ["repo:read"] };
  const made = await change("createOAuthApp", { by: maker, body });
  const path = { id: made.json.id as string };
  await change("updateOAuthApp", { by: maker, path, body: { name: "CD" } });
  await change("rotateOAuthAppSecret", { by: maker, path });
  await change("deleteOAuthApp", { by: maker, path });
  const app = await registerApp(server, maker);
  const query = { client_id: app.client_id, redirect_uri: callback, scope: "repo:read" };
  const request = new URLSearchParams(query).toString();
  await change("readOAuthRequest", { by: browser, body: { request } });
  await change("decideOAuthRequest", { by: browser, body: { request, decision: "allow" } });
  const code = await codeFor(server, { browser, username: "wanda" }, app);
  expect((await exchange(server, app, code)).status).toBe(200);
  const [grant] = (await browser.send("GET", "/user/grants")).json;
  await change("withdrawGrant", { by: browser, path: { id: grant.id } });
}

export async function changeAccount(driver: Driver, admin: string): Promise<void> {
  const { change, server } = driver;
  await change("signUp", { body: { username: "wanda", password, email: "wanda@example.com" } });
  const browser = await signIn(driver, "wanda");
  await driver.beside("auth.login_failure", () => openBrowser(server).signIn("wanda", "wrong"));
  await change("updateUser", { by: browser, body: { name: "Wanda" } });
  await emails(driver, browser, admin);
  await secondFactor(driver, browser, admin);
  await passkeys(driver, browser);
  await keysAndTokens(driver, browser);
  await apps(driver, browser);
  await change("endOtherSessions", { by: browser });
  await change("changePassword", { by: browser, body: { current_password: password, password: later } });
  await change("requestPasswordReset", { body: { email: "second@example.com" } });
  const token = await mailedToken(driver, admin, "second@example.com", "reset_password");
  await change("resetPassword", { body: { token, password } });
  const last = await signIn(driver, "wanda");
  const sessions = (await last.send("GET", "/user/sessions")).json as { id: string; current: boolean }[];
  await change("endSession", { by: last, path: { id: sessions.find((one) => one.current)?.id ?? "" } });
}
