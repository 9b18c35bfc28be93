/** Teams that share an address are told by one mail. */
import { expect, test } from "vitest";
import { onePerAddress } from "@forgeline/server/domains/collaboration/team-routing/route-news.ts";

const nowMs = Date.UTC(2026, 0, 5, 12, 30);
const one = (team_id: string, digest: "immediately" | "hourly" | "daily", address = "core@example.com") => ({
  team_id,
  address,
  digest,
  digest_at: "08:00",
  time_zone: "UTC",
  quiet_from: null,
  quiet_to: null,
  quiet_days: [],
});

test("an address is told as early as one of its teams wants it, for the strongest reason", () => {
  const routed = [
    { row: one("a", "daily"), reason: "team_mention" as const },
    { row: one("b", "immediately", "Core@example.com"), reason: "review_requested" as const },
    { row: one("c", "hourly"), reason: "review_requested" as const },
    { row: one("d", "daily", "other@example.com"), reason: "review_requested" as const },
  ];
  for (const order of [routed, routed.toReversed()]) {
    const mails = onePerAddress(order, nowMs).map(({ row, reason, inDigest }) => [
      row.team_id,
      reason,
      inDigest,
    ]);
    expect(mails.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      ["b", "team_mention", false],
      ["d", "review_requested", true],
    ]);
  }
});
