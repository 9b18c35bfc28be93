/** An entry as a message of RFC 5424, with its length in bytes before it (RFC 5425). */
import { expect, test } from "vitest";
import { syslogFrame } from "@forgeline/server/domains/automation/audit-streams/syslog-frame.ts";

const entry = (seq: number | null) => `{"seq":${seq},"timestamp":"2026-11-27T08:00:00.000Z","text":"Zoë"}`;

test.each([
  [1, '[meta sequenceId="1"]'],
  [2_147_483_647, '[meta sequenceId="2147483647"]'],
  [2_147_483_648, '[meta sequenceId="1"]'],
  [null, "-"],
])("seq %s", (seq, data) => {
  const message = `<110>1 2026-11-27T08:00:00.000Z git.example.com forgeline - audit ${data} ${entry(seq)}`;
  expect(syslogFrame(entry(seq), "git.example.com")).toBe(`${Buffer.byteLength(message)} ${message}`);
});
