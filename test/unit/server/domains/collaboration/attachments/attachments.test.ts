import { expect, test } from "vitest";
import {
  contentTypeOf,
  isPicture,
} from "@forgeline/server/domains/collaboration/attachments/content-type.ts";
import { plainFileName } from "@forgeline/server/domains/collaboration/attachments/file-name.ts";
import { attachmentIdsIn } from "@forgeline/server/domains/collaboration/attachments/mentions.ts";

test.each([
  ["\x89PNG\r\n\x1a\n\0", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["RIFF\0\0\0\0WEBPVP8 ", "image/webp"],
  ["RIFF\0\0\0\0WAVE", "application/octet-stream"],
  ["\0\0\0\x1cftypavif", "image/avif"],
  ["\0\0\0\x18ftypisom", "video/mp4"],
  ["\x1aE\xdf\xa3\0", "video/webm"],
  ["%PDF-1.7 \0", "application/pdf"],
  ["PK\x03\x04", "application/zip"],
  ["\x1f\x8b\x08", "application/gzip"],
  ["GIF87<script>", "text/plain; charset=utf-8"],
  [" \x89PNG\r\n\x1a\n", "application/octet-stream"],
  ["", "application/octet-stream"],
])("what begins with %j is %s", (bytes, type) => {
  expect(contentTypeOf(Buffer.from(bytes, "latin1"))).toBe(type);
});

test("only pictures without scripts stand in pages", () => {
  expect(
    ["image/png", "image/svg+xml", "text/html", "application/pdf", "video/mp4"].filter(isPicture),
  ).toEqual(["image/png"]);
});

test.each([
  ["a.png", "a.png"],
  ["../../etc/passwd", "passwd"],
  [String.raw`C:\Users\ada\b.log`, "b.log"],
  ["\u202egpj.exe\u0000\n", "gpj.exe"],
  ["Zusammenfassung – März.pdf", "Zusammenfassung – März.pdf"],
  ["..", "file"],
  ["", "file"],
  ["a/", "file"],
  ["x".repeat(300), "x".repeat(200)],
])("the name %j becomes %j", (given, plain) => {
  expect(plainFileName(given)).toBe(plain);
});

test("a long name is not cut inside a character", () => {
  expect(plainFileName(`${"x".repeat(199)}😀`)).not.toMatch(/[\ud800-\udfff](?![\udc00-\udfff])/);
});

test("addresses of attachments are found once each, wherever they stand", () => {
  const [one, other] = [`atm_${"0".repeat(25)}1`, `atm_${"0".repeat(25)}2`];
  const text = `![a](https://host/api/v1/attachments/${one}/a.png) <https://host/attachments/${other}/b> /attachments/${one} /attachments/${one}x ${other}`;
  expect(attachmentIdsIn(text)).toEqual([one, other]);
});
