/** Nobody is sent anywhere but to the very address that an app has registered, whatever is written in a request. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import {
  ask,
  decide,
  redirectTarget,
  registerApp,
  sendForm,
  signedIn,
  type SignedIn,
  type TestApp,
} from "../support/oauth.ts";

let server: ApiServer;
let app: TestApp;
let ada: SignedIn;
const registered = "https://client.example/callback";
beforeAll(async () => {
  server = await startApiServer();
  app = await registerApp(server, (await server.person("maker")).token, { redirect_uris: [registered] });
  ada = await signedIn(server, "ada");
});
afterAll(() => server?.stop());

/** Of the registered one: each says another place, or the same in other letters, which is another too. */
function variants(): string[] {
  const [host, path] = ["client.example", "/callback"];
  const hosts = [
    "evil.example",
    `${host}.evil.example`,
    `evil.example.${host}`,
    `evil${host}`,
    `${host}.`,
    `.${host}`,
    host.toUpperCase(),
    "Client.example",
    `www.${host}`,
    `${host}:443`,
    `${host}:8443`,
    `${host}:0443`,
    `${host}:`,
    `evil.example@${host}`,
    `${host}@evil.example`,
    `${host}:x@evil.example`,
    `${host}%40evil.example`,
    `evil.example%2f@${host}`,
    `evil.example\\@${host}`,
    `evil.example#@${host}`,
    `evil.example?@${host}`,
    `${host}%2eevil.example`,
    `${host}%00.evil.example`,
    `${host}\\.evil.example`,
    "clıent.example",
    "client。example",
    "ｃlient.example",
    "xn--clent-nza.example",
    "[::1]",
    "127.0.0.1",
    "localhost",
  ];
  const paths = [
    "",
    "/",
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `${path}/..`,
    `${path}/../evil`,
    `/evil/..${path}`,
    `/.${path}`,
    `/x/../callback`,
    "/Callback",
    "/CALLBACK",
    "/callbac%6b",
    "/%63allback",
    `${path}%2f`,
    `${path}%2f..%2fevil`,
    `${path}%00`,
    `${path}%20`,
    `${path} `,
    `${path}\t`,
    `${path}?`,
    `${path}?x`,
    `${path}?next=https://evil.example`,
    `${path}#`,
    `${path}#evil`,
    `${path};x`,
    `${path}&x=1`,
    `${path}\\`,
    `\\${path}`,
    `${path}%0d%0aLocation:%20https://evil.example`,
    `${path}\r\nLocation: https://evil.example`,
    `${path}.evil`,
    `${path}@evil.example`,
  ];
  const schemes = [
    "http",
    "HTTPS",
    "Https",
    "ftp",
    "ws",
    "wss",
    "javascript",
    "data",
    "file",
    "https:",
    "view-source:https",
  ];
  return [
    ...hosts.map((each) => `https://${each}${path}`),
    ...paths.map((each) => `https://${host}${each}`),
    ...schemes.map((each) => `${each}://${host}${path}`),
    `https:/${host}${path}`,
    `https:${host}${path}`,
    `https:\\\\${host}${path}`,
    `https:///${host}${path}`,
    `//${host}${path}`,
    `/\\${host}${path}`,
    `${host}${path}`,
    path,
    " https://client.example/callback",
    "\thttps://client.example/callback",
    "https://client.example/callback,https://evil.example",
    "*",
    "https://*/callback",
  ];
}

const query = (uri: string) => ({
  client_id: app.client_id,
  redirect_uri: uri,
  scope: "repo:read",
  state: "s",
});

test("only the registered address is gone to", async () => {
  const all = [...new Set(variants())];
  expect(all.length).toBeGreaterThan(80);
  const followed: string[] = [];
  for (const uri of all) {
    const page = await ask(server, query(uri), ada.browser.cookie());
    const headers = { Cookie: ada.browser.cookie(), Origin: server.webUrl };
    const request = new URLSearchParams(query(uri)).toString();
    const fields = { csrf: ada.browser.csrfToken(), request, decision: "allow" };
    const answer = await sendForm(server, "/oauth/authorize", fields, headers);
    for (const { status, headers: got, text } of [page, answer])
      if (status !== 400 || got.location !== undefined || text.includes("evil.example")) followed.push(uri);
  }
  expect(followed).toEqual([]);
  const landed = redirectTarget(await decide(server, ada, query(registered)));
  expect(`${landed.origin}${landed.pathname}`).toBe(registered);
});

test("an address is sent twice, or by another app: it is shown", async () => {
  const twice = new URLSearchParams(query(registered));
  twice.append("redirect_uri", "https://evil.example/");
  const headers = { Cookie: ada.browser.cookie() };
  const doubled = await server.api("GET", `//oauth/authorize?${twice.toString()}`, { headers });
  expect([doubled.status, doubled.headers.location]).toEqual([400, undefined]);
  const foreign = await registerApp(server, (await server.person("eve")).token, {
    redirect_uris: ["https://evil.example/"],
  });
  const borrowed = await ask(
    server,
    { ...query(registered), client_id: foreign.client_id },
    ada.browser.cookie(),
  );
  expect([borrowed.status, borrowed.headers.location]).toEqual([400, undefined]);
});

test("after signing in one comes back to the request alone, whatever else the form names", async () => {
  for (const request of [
    "https://evil.example/",
    "//evil.example",
    "\\\\evil.example",
    "%0d%0aLocation:https://evil.example",
  ]) {
    const answer = await sendForm(
      server,
      "/oauth/sign-in",
      { request, next: "https://evil.example/", username: "ada", password: "a very long password" },
      { Origin: server.webUrl },
    );
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.location ?? "", server.webUrl);
    expect([location.origin, location.pathname]).toEqual([server.webUrl, "/oauth/authorize"]);
  }
});
