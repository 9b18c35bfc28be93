import { expect, test } from "vitest";
import { createSigner } from "@forgeline/server/platform/keys/signer.ts";
import {
  createLetterMarkup,
  letterMarkup,
} from "@forgeline/server/domains/collaboration/notification-mails/letter-markup.ts";
import type { LetterRow } from "@forgeline/server/domains/collaboration/notification-mails/letters.store.ts";
import {
  plainLine,
  plainName,
} from "@forgeline/server/domains/collaboration/notification-mails/plain-line.ts";
import { createUnsubscribeTokens } from "@forgeline/server/domains/collaboration/notification-mails/unsubscribe-tokens.ts";
import { writeDigest } from "@forgeline/server/domains/collaboration/notification-mails/write-digest.ts";
import { writeLetter } from "@forgeline/server/domains/collaboration/notification-mails/write-letter.ts";
import { createAddresses } from "@forgeline/server/platform/addresses.ts";

const addresses = createAddresses(
  { publicUrl: "https://git.example.org", jobUrl: undefined },
  { https: 443 },
);
const unsubscribeUrl = "https://git.example.org/-/unsubscribe/x";
const row: LetterRow = {
  id: 1,
  position: 7,
  user_id: "usr_01jbcdefghjkmnpqrstvwxyz00",
  address: "ben@example.org",
  event: "commented",
  reason: "mention",
  work_item_id: "iss_01jbcdefghjkmnpqrstvwxyz00",
  kind: "issue",
  number: 12,
  title: "Lights flicker",
  owner: "acme",
  name: "app",
  actor: "ada",
  actor_name: "Ada",
  thread_id: null,
  path: null,
  line: null,
  review_state: null,
  ended_because: null,
  is_own: false,
  body: "See **this**, @ben.",
};
const write = (more: Partial<LetterRow> = {}) =>
  writeLetter({ ...row, ...more }, { addresses, unsubscribeUrl });

test("a mail says what happened and why, threads with its conversation, and offers a way out", () => {
  const letter = write();
  expect(letter).toMatchObject({
    subject: "[acme/app] Lights flicker (#12)",
    fromName: "Ada (Forgeline)",
    inReplyTo: "<acme/app/issues/12@git.example.org>",
    references: ["<acme/app/issues/12@git.example.org>"],
    headers: {
      "List-ID": "acme/app <app.acme.git.example.org>",
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "X-Forgeline-Reason": "mention",
      "Auto-Submitted": "auto-generated",
    },
  });
  expect(letter.messageId).toMatch(/^<acme\/app\/issues\/12\/[0-9a-f]{24}@git\.example\.org>$/);
  expect(write().messageId).toBe(letter.messageId);
  expect(write({ position: 8 }).messageId).not.toBe(letter.messageId);
  expect(write({ event: "opened" })).toMatchObject({ messageId: "<acme/app/issues/12@git.example.org>" });
  expect(letter.text).toContain("Ada commented on this issue:\n\nSee **this**, @ben.\n\n-- \n");
  expect(letter.text).toContain("because you were mentioned.");
  expect(letter.text).toContain("https://git.example.org/acme/app/issues/12");
  expect(letter.html).toContain("<strong>this</strong>");
  expect(letter.html).toContain('href="https://git.example.org/ben"');
});

test("nothing in a mail is loaded, and no markup of a text gets through", () => {
  const { html = "" } = write({
    body: '![a](https://evil.example/t.png "x") <img src="//evil.example/b.png"> [in](docs/a.md) <script>alert(1)</script> <a href="javascript:x">y</a>\n\n- [x] done',
  });
  expect(html).not.toMatch(/<img|src=|<script|javascript:|<input/);
  expect(html).toContain('<a href="https://evil.example/t.png">[Picture: a]</a>');
  expect(html).toContain('href="https://git.example.org/acme/app/docs/a.md"');
  expect(html).toMatch(/\[x\]\s+done/);
});

test("a text that many get is read once, and as markup of its own repository", () => {
  const markup = createLetterMarkup(2);
  const place = { repository: "acme/app", webUrl: "https://git.example.org" };
  const text = "See [it](a.md). ".repeat(1_000);
  const first = markup(text, place);
  expect(first).toBe(letterMarkup(text, place));
  const begun = performance.now();
  for (let count = 0; count < 200; count += 1) markup(text, place);
  expect(performance.now() - begun).toBeLessThan(500);
  expect(markup(text, { ...place, repository: "acme/other" })).toContain("/acme/other/a.md");
});

test("names and titles stay in their line, and cannot turn or hide what is beside them", () => {
  expect(plainLine("a\r\nBcc: x@y\u202e\u200bz\u2028w")).toBe("a Bcc: x@yz w");
  expect(plainLine("é".repeat(300))).toHaveLength(200);
  expect(plainName('Bank <pay@bank.example>, "x"')).toBe("Bank pay bank.example x");
  expect(write({ actor_name: "", actor: "ada" }).fromName).toBe("ada (Forgeline)");
  expect(write({ actor_name: null, actor: null }).text).toMatch(/^Somebody commented/);
});

test("a long text is cut, and a text that is not the news is left out", () => {
  const long = write({ body: "line\n".repeat(20_000) });
  expect(long.text.length).toBeLessThan(20_000);
  expect(long.text).toContain("The text goes on: https://git.example.org/acme/app/issues/12");
  const assigned = write({ event: "edited", reason: "assign" });
  expect(assigned.text).toMatch(/^Ada assigned you\.\n\n-- \n/);
  expect(write({ reason: "team_mention" }).text).toContain("a team of yours was mentioned");
});

test("what somebody else once wrote is nobody's words, and why something ended is said", () => {
  for (const event of ["closed", "reopened", "merged"])
    expect(write({ event }).text).toMatch(new RegExp(`^Ada ${event} this issue\\.\\n\\n-- \\n`));
  expect(write({ event: "closed" }).html).not.toContain("<strong>this</strong>");
  const why = (event: string, because: string | null) =>
    write({ event, ended_because: because, actor: null }).text.split("\n")[0];
  expect(why("dequeued", "unit has failed for what the branch would become.")).toBe(
    "This merge request left the merge queue: unit has failed for what the branch would become.",
  );
  expect(why("dequeued", null)).toBe("This merge request left the merge queue.");
  expect(why("auto_merge_disabled", "conflict")).toBe(
    "This merge request is not merged by itself any more: its branches conflict.",
  );
  const said = (event: string, more: Partial<LetterRow> = {}) =>
    write({ event, kind: "merge_request", body: "", ...more }).text.split("\n")[0];
  expect(said("auto_merge_disabled", { ended_because: "cancelled" })).toBe(
    "This merge request is not merged by itself any more: Ada cancelled it.",
  );
  expect(said("merged", { is_own: true })).toBe("This merge request was merged, as you had asked.");
  expect(said("review_requested", { actor: null, actor_name: null })).toBe(
    "Your review of this merge request is requested.",
  );
  expect(said("approval_requested")).toBe("Waiting for your approval: run of !12 by Ada.");
  expect(write({ event: "approval_requested" }).text).toContain(
    "https://git.example.org/acme/app/pipelines?status=awaiting_approval",
  );
  const closed = writeDigest([{ ...row, event: "closed" }, row], { addresses, unsubscribeUrl });
  expect(closed.text).toContain("* Ada closed this issue.\n* Ada commented on this issue:\n  See");
});

test("a digest lists what happened by conversation", () => {
  const other = {
    ...row,
    work_item_id: "mr_01jbcdefghjkmnpqrstvwxyz00",
    kind: "merge_request",
    number: 3,
  } as const;
  const review = { event: "reviewed", review_state: "approved", title: "Fix", body: "" } as const;
  const digest = writeDigest([row, { ...other, ...review }, { ...row, body: "<b>again</b>" }], {
    addresses,
    unsubscribeUrl,
  });
  expect(digest.subject).toBe("[Forgeline] 3 notifications");
  expect(digest.text).toContain(
    "[acme/app] Fix (!3)\nhttps://git.example.org/acme/app/merge-requests/3\n* Ada approved this merge request.",
  );
  expect(digest.html).toContain("&#x3C;b>again");
  expect(digest.text.match(/Lights flicker/g)).toHaveLength(1);
});

test("addresses that end mails are proved, name one thing, and end themselves", () => {
  const key = Buffer.alloc(32, 1);
  let now = Date.parse("2027-03-01T00:00:00Z");
  const tokens = createUnsubscribeTokens(
    createSigner(() => [key]),
    () => now,
  );
  const target = { userId: row.user_id, itemId: row.work_item_id };
  const token = tokens.make(target);
  expect(tokens.read(token)).toEqual(target);
  expect(tokens.read(tokens.make({ ...target, itemId: null }))).toEqual({ ...target, itemId: null });
  const [user, , day, signature] = token.split(".");
  expect(tokens.read(`${user}.-.${day}.${signature}`)).toBeUndefined();
  expect(tokens.read(`${token}A`)).toBeUndefined();
  now += 91 * 24 * 60 * 60 * 1000;
  expect(tokens.read(token)).toBeUndefined();
});
