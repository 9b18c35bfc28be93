/** Somebody with as many logs open as one may have is told so on the page, and the log comes by itself when one was closed. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const max = 3;
let server: ApiServer;
let browser: Browser;
let person: TestPerson;
let ada: Visitor;

beforeAll(async () => {
  const env = { FORGELINE_OPEN_LOGS: String(max) };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  await signUp(server, "ada", password);
  const user = await server.container.platform.db.one<{ id: string }>(
    "select id from users where username = 'ada'",
  );
  person = { id: user?.id ?? "", username: "ada", token: "" };
  person.token = await server.tokenFor(person, ["repo:write", "pipeline:read", "pipeline:write"]);
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

async function openElsewhere(path: string): Promise<WebSocket> {
  const url = `${server.baseUrl.replace("https:", "wss:")}/repos${path}/logs/stream`;
  const headers = { authorization: `Bearer ${person.token}` };
  const socket = new WebSocket(url, [logWatchProtocol], { ca: server.ca, headers });
  await once(socket, "open");
  return socket;
}

test("says that too many logs are open, and shows the log once there is room", async () => {
  const run = await runInRows(server, person, { name: "busy", plan: planOf([planJob({ key: "build" })]) });
  await run.setRun("running");
  const attempt = await run.begin("build", ["work"]);
  await run.setJob("build", "running");
  await attempt.print(1, "first line\n");
  const others = await Promise.all(Array.from({ length: max }, () => openElsewhere(run.path)));
  await ada.goto(run.path);
  const log = ada.page.getByRole("region", { name: /^Log of/ });
  await ada.page.getByText(/You have 3 logs open, which is the limit.*Trying again in \d+ s/).waitFor();
  expect(await ada.page.getByText("It wrote no output.").count()).toBe(0);
  ada.forgiveRefusals();
  await lookAtPage(ada);
  others[0]?.close();
  await log.getByText("first line").waitFor();
  expect(await ada.page.getByText("Trying again").count()).toBe(0);
  for (const other of others) other.close();
});
