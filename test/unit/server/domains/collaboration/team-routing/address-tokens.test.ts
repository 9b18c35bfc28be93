/** Links that confirm or end a team's shared address: only those made here, for that address, and in time. */
import { expect, test } from "vitest";
import {
  createAddressTokens,
  digestOf,
} from "@forgeline/server/domains/collaboration/team-routing/address-tokens.ts";
import { createSigner } from "@forgeline/server/platform/keys/signer.ts";

const dayMs = 24 * 60 * 60 * 1000;
const teamId = "team_01jd3a7qx0c4mvb8ekz2hs9rwt";
const wanted = { purpose: "confirm", teamId, address: "Core@example.com" } as const;

test("a link says what it is for, is bound to the address, and ends", () => {
  let nowMs = Date.UTC(2026, 0, 5, 12);
  const tokens = createAddressTokens(
    createSigner(() => [Buffer.alloc(32, 1)]),
    () => nowMs,
  );
  const token = tokens.make(wanted);
  expect(token).not.toContain("example");
  expect(tokens.read(token)).toEqual({ purpose: "confirm", teamId, digest: digestOf("core@example.com") });
  expect(tokens.read(token.replace("confirm", "end"))).toBeUndefined();
  const other = createAddressTokens(createSigner(() => [Buffer.alloc(32, 2)]));
  expect(other.read(token)).toBeUndefined();
  // Another mail asks something else.
  const asks = [1, 2].map((count) => ({ asked_since: new Date(nowMs), asked_count: count }));
  const digests = asks.map((ask) => tokens.read(tokens.make({ ...wanted, ask }))?.digest);
  expect(digests).toEqual(asks.map((ask) => digestOf("core@example.com", ask)));
  expect(new Set(digests).size).toBe(2);
  const end = tokens.make({ ...wanted, purpose: "end" });
  nowMs += 4 * dayMs;
  expect(tokens.read(token)).toBeUndefined();
  expect(tokens.read(end)?.purpose).toBe("end");
});
