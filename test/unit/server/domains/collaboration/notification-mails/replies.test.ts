import { expect, test } from "vitest";
import { createSigner } from "@forgeline/server/platform/keys/signer.ts";
import { answerText } from "@forgeline/server/domains/collaboration/notification-mails/answer-text.ts";
import { isAutomatic } from "@forgeline/server/domains/collaboration/notification-mails/automatic-mail.ts";
import { createReplyAddresses } from "@forgeline/server/domains/collaboration/notification-mails/reply-tokens.ts";

const footer = "Get no more of this conversation: https://x/-/unsubscribe/t.t";

test.each([
  ["Fixed.\n\nOn Mon, 1 Mar 2027 at 12:00, Ada <a@b.c> wrote:\n> It hangs.\n>\n> Often.\n", "Fixed."],
  [
    "Fixed.\r\n\r\nOn Mon, 1 Mar 2027 at 12:00, Ada (Forgeline)\r\n<a@b.c> wrote:\r\n\r\n> It hangs.\r\n",
    "Fixed.",
  ],
  ["> It hangs.\n\nNo.\n\n> Often.\n\nYes.", "> It hangs.\n\nNo.\n\n> Often.\n\nYes."],
  ["Yes.\n\nAm 01.03.27 um 12:00 schrieb Ada <a@b.c>:\n> Ja?", "Yes."],
  ["Steps:\n> quoted", "Steps:"],
  ["Yes.\n-- \nBen\nBank of X", "Yes."],
  ["Yes.\n\nSent from my iPhone", "Yes."],
  ["Yes.\n\n-----Original Message-----\nFrom: x", "Yes."],
  ["Yes.\n________________________________\nFrom: Ada", "Yes."],
  ["Yes.\n\nFrom: Ada <a@b.c>\nSent: Monday\nTo: Ben\nSubject: x\n\ntext", "Yes."],
  [
    "Sent from my script were three.\nAll fail.\nOften.\nAt night.",
    "Sent from my script were three.\nAll fail.\nOften.\nAt night.",
  ],
  ["Yes.\n\nSent from my phone\n\nOn Mon, 1 Mar 2027, Ada <a@b.c> wrote:\n> It hangs.", "Yes."],
  ["Ja.\n\nVan: Ada <a@b.c>\nVerzonden: maandag\nAan: Ben\nOnderwerp: x\n\ntext", "Ja."],
  ["Sì.\n\nDa: Ada <a@b.c>\nInviato: lunedì\nA: Ben\nOggetto: x\n\ntext", "Sì."],
  [
    `> It hangs.\n>\n> -- \n> You get it because you watch.\n> View it: https://x/a\n> ${footer}\n\nYes.`,
    "> It hangs.\n>\n\nYes.",
  ],
  [`Yes.\n\nBelow:\n\nIt hangs.\n${footer}`, "Yes.\n\nBelow:\n\nIt hangs."],
  [`Yes.\n<https://safe.example/?url=${encodeURIComponent("https://x/-/unsubscribe/t.t")}>`, "Yes."],
  ["From: here on it fails.\nSecond line.", "From: here on it fails.\nSecond line."],
  ["> only\n> quoted", ""],
  ["Use it so:\n\n    --flag\n\n---\n\nDone.", "Use it so:\n\n    --flag\n\n---\n\nDone."],
])("an answer is what somebody wrote, %#", (written, answer) => {
  expect(answerText(written)).toBe(answer);
});

test("texts that repeat what is looked for take no time", () => {
  const begun = performance.now();
  for (const hostile of ["From: a@b\n", "On 1 ", "> \n", "a:\n> ", "_".repeat(30)])
    answerText(hostile.repeat(Math.ceil(1_000_000 / hostile.length)));
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("what programs send is known by its head", () => {
  const head = (headers: Record<string, string>, returnPath = "ben@example.org") => ({
    headers: new Map(Object.entries(headers)),
    returnPath,
  });
  expect(isAutomatic(head({ subject: "Re: x", "auto-submitted": "no" }))).toBe(false);
  for (const automatic of [
    head({ "auto-submitted": "auto-replied" }),
    head({ precedence: "bulk" }),
    head({ "list-id": "<x.y>" }),
    head({ "content-type": "multipart/report; report-type=delivery-status" }),
    head({ "x-autoreply": "yes" }),
    head({}, ""),
    head({}, "MAILER-DAEMON@example.org"),
  ])
    expect(isAutomatic(automatic)).toBe(true);
});

test("addresses for answers are proved, and end themselves; the case of letters does not count", () => {
  let now = Date.parse("2027-03-01T00:00:00Z");
  const signerOf = (byte: number) => createSigner(() => [Buffer.alloc(32, byte)]);
  const addresses = createReplyAddresses("reply@example.org", signerOf(1), () => now);
  const address = addresses.make(4_711);
  const [local = ""] = address.split("@");
  expect(local.length).toBeLessThanOrEqual(64);
  expect(addresses.read(address)).toBe(4_711);
  expect(addresses.read(address.toUpperCase())).toBe(4_711);
  const changed = `${address.slice(0, 10)}${address[10] === "0" ? "1" : "0"}${address.slice(11)}`;
  for (const wrong of [
    changed,
    address.replace("reply+", "other+"),
    address.replace("example", "evil"),
    "reply@example.org",
  ])
    expect(addresses.read(wrong)).toBeUndefined();
  expect(createReplyAddresses("reply@example.org", signerOf(2), () => now).read(address)).toBeUndefined();
  now += 92 * 24 * 60 * 60 * 1000;
  expect(addresses.read(address)).toBeUndefined();
});
