/**
 * R8: whatever changes something through the interface has its entry in the audit log, written in the same transaction:
 * when the entry cannot be written, nothing is changed. Every operation of the contracts is driven, and no kind is missed.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApiServer, type ApiServer } from "../../../../support/api-server.ts";
import { startProvider, type TestProvider } from "../../../../support/oidc-provider.ts";
import { specKinds } from "../../../../support/spec-audit-actions.ts";
import { changeAccount } from "./account.ts";
import { createDriver, type Driver } from "./driver.ts";
import { expected, unseen } from "./expected.ts";
import { administer, changeOrganization, type Cast } from "./organization.ts";
import { changeRepository } from "./repository.ts";
import { changeSso } from "./sso.ts";

let server: ApiServer;
let provider: TestProvider;
let driver: Driver;
let cast: Cast;
// Each makes hundreds of requests.
vi.setConfig({ testTimeout: 180_000 });

beforeAll(async () => {
  provider = await startProvider();
  server = await startApiServer({
    env: { ...provider.env, FORGELINE_TASK_QUEUE: `test-every-change-${process.pid}` },
  });
  driver = await createDriver(server);
  cast = {
    admin: (await server.person("root-admin", { isAdmin: true })).token,
    ada: (await server.person("ada")).token,
    ben: (await server.person("ben")).token,
  };
});
afterAll(async () => {
  await driver?.close();
  await server?.stop();
  await provider?.stop();
});

test("the table has each operation that changes something, and no other", () => {
  const changing = server.http.binder.contracts().filter(({ method }) => method !== "get");
  expect(Object.keys(expected).sort()).toEqual(changing.map(({ id }) => id).sort());
});

test("changes of an account are recorded with them, or not made", () => changeAccount(driver, cast.admin));
test("changes of an organization are recorded with them, or not made", () =>
  changeOrganization(driver, cast));
test("changes of single sign-on are recorded with them, or not made", () =>
  changeSso(driver, provider, cast.ada));
test("changes of a repository are recorded with them, or not made", () => changeRepository(driver, cast));
test("changes by administrators are recorded with them, or not made", () => administer(driver, cast));

test("each operation was driven, and each kind that it may write was seen", () => {
  const missed = Object.entries(expected).flatMap(([id, row]) => {
    const kinds = row.startsWith("none: ") ? [] : row.split(", ");
    const seen = driver.seen.get(id);
    return seen ? kinds.filter((kind) => !seen.has(kind)).map((kind) => `${id} ${kind}`) : [id];
  });
  expect(missed).toEqual([]);
});

test("of the kinds of the specification only those are never seen whose feature is not there yet", () => {
  const seen = new Set([...driver.seen.values()].flatMap((kinds) => [...kinds]));
  expect(specKinds.filter((kind) => !seen.has(kind))).toEqual(Object.keys(unseen));
});
