/** Mistakes of events and webhooks. */
import type { Mutant } from "./mutant.ts";

const gaps = "test/unit/server/platform/events/gaps.test.ts";
const api = "test/integration/api/webhooks";
const domain = "server/domains/automation/webhooks";

export const webhooks: readonly Mutant[] = [
  {
    name: "events-gap-given-up-unread",
    promise: "R7: an event that is visible in a gap is read before the gap is given up.",
    file: "server/platform/events/gaps.ts",
    find: "!isAll || BigInt(oldestBefore)",
    replace: "BigInt(oldestBefore)",
    tests: [gaps],
  },
  {
    name: "events-gap-given-up-early",
    promise: "R7: a gap is kept while a transaction that was open when it was found is open.",
    file: "server/platform/events/gaps.ts",
    find: "BigInt(oldestBefore) < BigInt(horizon)",
    replace: "BigInt(oldestBefore) < BigInt(horizon) - 5n",
    tests: [gaps],
  },
  {
    name: "webhooks-body-may-change",
    promise: "Each attempt of a delivery has the same body.",
    file: `${domain}/complete-event.ts`,
    find: "(await setSubject(deps.db, position, whole)) ?? whole",
    replace: "(await setSubject(deps.db, position, whole)) && whole",
    tests: [`${api}/deliveries.test.ts`],
  },
  {
    name: "webhooks-dead-endpoint-is-not-gated",
    promise: "An endpoint that fails again and again gets single tries.",
    file: `${domain}/recorder.ts`,
    find: "if (tries > 0 || askedMs > 0) await setGate",
    replace: "if (tries > 1_000 || askedMs > 0) await setGate",
    tests: [`${api}/deliveries.test.ts`],
  },
  {
    name: "webhooks-asked-pause-is-not-kept",
    promise: "An endpoint that asks for a pause is left alone for that time.",
    file: `${domain}/recorder.ts`,
    find: "askedMs: accepted ? 0 : Math.max(sum.askedMs, askedMs),",
    replace: "askedMs: 0,",
    tests: [`${api}/deliveries.test.ts`],
  },
  {
    name: "webhooks-ordered-overtakes",
    promise: "S10: an ordered webhook delivers one after the other.",
    file: `${domain}/lanes.ts`,
    find: "(endpoint.ordered ? 1 : maxAtOnce) - lane.taken.size",
    replace: "maxAtOnce - lane.taken.size",
    tests: [`${api}/deliveries.test.ts`],
  },
  {
    name: "webhooks-no-hourly-limit",
    promise: "Past 10,000 requests an hour deliveries wait.",
    file: `${domain}/lanes.ts`,
    find: "if (room <= 0) return wakeLater",
    replace: "if (room < -1_000_000) return wakeLater",
    tests: [`${api}/bounds.test.ts`],
  },
  {
    name: "webhooks-old-secret-does-not-sign",
    promise: "Two secrets are valid while one replaces the other.",
    file: `${domain}/endpoints.ts`,
    find: "[row.sealed_secret, row.sealed_previous_secret]",
    replace: "[row.sealed_secret]",
    tests: [`${api}/bounds.test.ts`],
  },
  {
    name: "webhooks-stay-on-after-transfer",
    promise: "Security 6: who no longer owns a repository is told nothing of it.",
    file: "server/domains/hosting/repository-transfers/service.ts",
    find: "    await deps.whenTransferred(tx, row.id);\n",
    replace: "",
    tests: ["test/security/49-52-webhooks.test.ts"],
  },
  {
    name: "webhooks-kept-connection-unchecked",
    promise: "Security 50: each new connection is dialled to an address that was checked for it.",
    file: "server/platform/outbound/connections.ts",
    find: "    lookup: lookupChecked(deps.checkedAddresses),\n",
    replace: "",
    tests: ["test/security/49-52-webhooks.test.ts"],
  },
  {
    name: "webhooks-literal-address-unchecked",
    promise: "Security 49: no spelling of an inside address is dialled.",
    file: "server/platform/outbound/connections.ts",
    find: "if (isIP(host) > 0) await deps.checkedAddresses(host);",
    replace: "",
    tests: ["test/security/49-52-webhooks.test.ts"],
  },
  {
    name: "webhooks-endless-response",
    promise: "Security 52: 64 KiB of a response are read.",
    file: "server/platform/outbound/connections.ts",
    find: "      if (truncated) break;\n",
    replace: "",
    tests: ["test/security/49-52-webhooks.test.ts"],
  },
  {
    name: "webhooks-delivery-of-another",
    promise: "Security 1: a delivery belongs to its webhook.",
    file: `${domain}/deliveries.store.ts`,
    find: "where d.webhook_id = $1 and d.id = $2`,",
    replace: "where $1::text is not null and d.id = $2`,",
    tests: [`${api}/webhooks.test.ts`],
  },
];
