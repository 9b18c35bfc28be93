/** What is said of an address that the server knows nothing of. */
import { absenceText } from "@forgeline/cli/connection/absence.ts";
import { expect, test } from "vitest";

test.each([
  ["repos/ada/code", "there is no repository ada/code"],
  ["repos/ada/code/schedules", "there is no repository ada/code"],
  ["repos/ada/code/mirror", "ada/code is not a mirror"],
  ["repos/ada/code/mirror/history", "ada/code is not a mirror"],
  ["repos/ada/code/mirror/preview", "there is no repository ada/code"],
  ["repos/ada/code/push-mirrors/pmir_1", "ada/code has no push mirror pmir_1"],
  ["repos/ada/code/push-mirrors/pmir_1/history", "ada/code has no push mirror pmir_1"],
  ["repos/ada/code/branches/a%2Fb", "ada/code has no branch a/b"],
  ["repos/ada/code/sync/schedule", "ada/code is not synced by itself"],
  ["orgs/acme", "there is no organization acme"],
  ["orgs/acme/webhooks/hook_1/ping", "acme has no webhook hook_1"],
  ["orgs/acme/audit-log/stream", "acme has no audit stream"],
  ["orgs/acme/audit-log/exports/aexp_1", "acme has no export aexp_1"],
  ["admin/audit-log/stream/test", "the instance has no audit stream"],
])("%s: %s", (path, sentence) => {
  expect(absenceText(path)).toBe(`${sentence}, or you may not see it`);
});

test.each([
  ["where several things could be missing", "repos/ada/code/webhooks/hook_1/deliveries/dlv_1"],
  ["of what has no name of its own", "admin/work/x"],
])("the address itself is shown %s", (_, path) => {
  expect(absenceText(path)).toBe(`not found, or you may not see it: ${path}`);
});
