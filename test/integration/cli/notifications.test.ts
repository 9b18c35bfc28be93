/** `forgeline notification`, and what people choose to be told of: at the terminal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { notificationOf } from "../../support/notification-of.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let id: string;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
  await people.told(ada, "issue", "create", "--title", "It hangs", "-R", "ada/code");
  id = await notificationOf(people.server, "ada", "code");
});
afterAll(() => people?.stop());

const notification = (...args: string[]) => people.told(ada, "notification", ...args);

test("an inbox is listed, sorted out and marked as read", async () => {
  const row = await notification("list", "--unread", "--in", "ada/code", "--reason", "watching");
  expect(row).toContain(`${id}\tunread\twatching\tada/code#1\tIt `);
  expect(row).toContain("\topened\t");
  expect(await notification("read", id)).toContain("read: ada/code#1 It ");
  expect(await notification("list", "--unread")).toBe("");
  await notification("unread", id);
  expect(await notification("mark-all", "--in", "ada/code")).toBe("marked everything in ada/code as read\n");
  await notification("save", id);
  await notification("done", id);
  expect(await notification("list")).toBe("");
  expect(await notification("list", "--saved")).toContain("read, saved, done");
  expect(await notification("list", "--done", "-n", "1")).toContain(id);
  expect((await people.json(ada, "notification", "unsave", id))[0]).toMatchObject({ saved: false });
});

test("what comes by mail is shown and chosen", async () => {
  expect(await notification("settings")).toMatch(/digest\s+immediately/);
  const chosen = ["--digest", "daily", "--at", "17:30", "--time-zone", "Europe/Berlin", "--watching", "off"];
  const shown = await notification(
    "settings",
    ...chosen,
    "--quiet",
    "22:00-07:00",
    "--quiet-days",
    "sat,sun",
  );
  expect(shown).toMatch(/what you watch\s+off[^]*daily at 17:30[^]*22:00-07:00, sat, sun[^]*Europe\/Berlin/);
  expect(await notification("settings", "--auto-watch", "off")).toMatch(/watch new repositories[^]*off/);
  expect(await notification("settings", "--quiet", "off", "--email", "primary")).toMatch(
    /quiet hours\s+none/,
  );
  for (const wrong of [
    ["--quiet", "night"],
    ["--quiet-days", "sat"],
    ["--email", "x@example.org"],
    ["--org-email", "acme=x@example.org"],
    ["--org-email", "acme"],
  ])
    expect((await people.as(ada, "notification", "settings", ...wrong)).code).toBe(2);
});

test("an organization has an address of its own", async () => {
  const { db } = people.server.container.platform;
  const row = [newId("eml"), ada.id, "ada@acme.example"];
  await db.query("insert into user_emails (id, user_id, email, verified_at) values ($1, $2, $3, now())", row);
  for (const name of ["acme", "club"]) await people.told(ada, "org", "create", name);
  const chosen = ["--org-email", "acme=Ada@acme.example", "--org-email", "club=ada@acme.example"];
  expect(await notification("settings", ...chosen)).toMatch(
    /of organizations\s+acme: ada@acme\.example, club: ada@acme\.example/,
  );
  expect(await notification("settings", "--org-email", "ACME=usual")).toMatch(
    /of organizations\s+club: ada@acme\.example/,
  );
  expect(
    (await people.as(ada, "notification", "settings", "--org-email", "nobody=ada@acme.example")).code,
  ).toBe(1);
});

test("a repository is watched and muted, and so is an issue", async () => {
  const repo = (...args: string[]) => people.told(ada, "repo", ...args, "-R", "ada/code");
  expect(await repo("watch")).toBe("watching ada/code\n");
  expect(await repo("watch", "--only", "issues")).toBe("watching issues of ada/code\n");
  expect(await repo("unwatch")).toBe("told of what involves you in ada/code\n");
  expect(await repo("mute")).toBe("muted ada/code\n");
  const { code, stderr } = await people.as(ada, "repo", "watch", "--only", "pushes", "-R", "ada/code");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--only takes issues and merge_requests")]);
  const issue = (...args: string[]) => people.told(ada, "issue", ...args, "-R", "ada/code");
  expect(await issue("subscribe", "1")).toBe("subscribed to #1\n");
  expect(await issue("mute", "#1")).toBe("muted #1\n");
  expect((await people.as(ada, "mr", "subscribe", "1", "-R", "ada/code")).code).toBe(1);
});
