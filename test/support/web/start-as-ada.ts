/** A web server with one account, `ada`, who is signed in in a window of the shared Chromium: what most tests of one page need. */
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../api-server.ts";
import { signUp } from "../browser.ts";
import { closeWindows, sharedChromium } from "./shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "./visitor.ts";

export interface AdasServer {
  server: ApiServer;
  browser: Browser;
  /** With a token of `repo:read` and `repo:write`. */
  person: TestPerson;
  /** Her window. */
  ada: Visitor;
}

export async function startAsAda(): Promise<AdasServer> {
  const [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  const user = await server.container.platform.db.one<{ id: string }>(
    "select id from users where username = 'ada'",
  );
  const person = { id: user?.id ?? "", username: "ada", token: "" };
  person.token = await server.tokenFor(person, ["repo:read", "repo:write"]);
  const ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
  return { server, browser, person, ada };
}

/** Also after a start that failed. */
export async function stopAsAda({ browser, server }: Partial<AdasServer>): Promise<void> {
  if (browser) await closeWindows(browser);
  await server?.stop();
}
