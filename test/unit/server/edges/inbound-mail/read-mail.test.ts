/** Mails that are made to cost much, or to hide who wrote them: they are read in bounds, or not at all. */
import { expect, test } from "vitest";
import { readMail } from "@forgeline/server/edges/inbound-mail/read-mail.ts";
import { withinDepth } from "@forgeline/server/edges/inbound-mail/within-depth.ts";
import { answerText } from "@forgeline/server/domains/collaboration/notification-mails/answer-text.ts";

const head = "From: ben@example.com\r\nTo: a@b.c\r\nSubject: x\r\nMIME-Version: 1.0\r\n";
const plain = `${head}Content-Type: text/plain\r\n\r\n`;
const html = `${head}Content-Type: text/html\r\n\r\n`;
const wrote = "On Mon, 1 Mar 2027, ada wrote:";
const quotation = Array.from({ length: 1_000 }, (_, depth) => `${">".repeat(depth + 1)} It hangs.`);
const nested = Array.from(
  { length: 1_000 },
  (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
);
const read = (source: string, returnPath = "ben@example.com") => readMail(Buffer.from(source), returnPath);

test.each([
  [
    "a thousand quotations in each other",
    `${plain}Yes.\r\n\r\n${wrote}\r\n${quotation.join("\r\n")}`,
    "Yes.",
  ],
  ["the same in HTML", `${html}<p>Yes.</p><p>${wrote}</p>${"<blockquote><p>x</p>".repeat(1_000)}`, "Yes."],
  ["much HTML in each other", `${html}Yes.<br>${"<ul><li>".repeat(100_000)}`, "Yes."],
  ["the same behind ends of nothing", `${html}Yes.<br>${"<b></i>".repeat(100_000)}`, "Yes."],
  ["mails in each other", `${head}${"Content-Type: message/rfc822\r\n\r\n".repeat(10_000)}x`, ""],
])("%s: what somebody wrote is found", async (_what, source, answer) => {
  const begun = performance.now();
  const mail = await read(source);
  expect(answerText(mail.text).split("\n")[0]).toBe(answer);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each([
  ["parts in each other", `${head}${nested.join("")}Content-Type: text/plain\r\n\r\nYes.`],
  [
    "many parts",
    `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(20_000)}`,
  ],
  ["many headers", `${"X-A: 1\r\n".repeat(100_000)}${plain}Yes.`],
])("%s: it is no mail", async (_what, source) => {
  await expect(read(source)).rejects.toThrow(/Max/);
});

test("whoever is named as its author is all that is named", async () => {
  const people = Array.from({ length: 1_000 }, (_, index) => `a${index}@b.c`);
  expect((await read(`From: ${people.join(", ")}\r\n\r\nx`)).from).toHaveLength(1_000);
  expect((await read(`From: a: ben@example.com, eve@b.c;\r\n\r\nx`)).from).toHaveLength(2);
  expect((await read(`From: a@b.c\r\n${plain}x`)).from).toEqual([]);
});

test.each([
  ["<p>a</p><br><p>b<br></P><p>c", "<p>a</p><br><p>b<br></P><p>c"],
  ["a<i><b>b</b><b>c<u>d", "a<i><b>b</b><b>c"],
  ["a</b></b><i></b><b></u><u>d", "a</b></b><i></b><b></u>"],
  ["1 < 2 <3", "1 < 2 <3"],
])("%s: no more than two are open", (text, within) => {
  expect(withinDepth(text, 2)).toBe(within);
});
