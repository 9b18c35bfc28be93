import { expect, test } from "vitest";
import { createWholePackets, eachPacket } from "@forgeline/server/git/http/packet-lines.ts";
import { packet } from "../../../../support/git-packets.ts";

const said = Buffer.concat([
  packet("want a\n"),
  Buffer.from("0001"),
  packet(""),
  packet("have bb\n"),
  Buffer.from("0000"),
]);

test("says each packet and where it stands", () => {
  const packets = [...eachPacket(said)];
  expect(packets.map(({ line }) => line)).toEqual(["want a\n", "", "", "have bb\n", ""]);
  for (const { line, at } of packets) expect(said.toString("latin1", at, at + line.length)).toBe(line);
});

test("hands on whole packets, in whatever pieces they come", () => {
  for (let size = 1; size <= said.length; size += 1) {
    const whole = createWholePackets();
    const pieces: Buffer[] = [];
    for (let at = 0; at < said.length; at += size) pieces.push(whole(said.subarray(at, at + size)));
    expect(Buffer.concat(pieces)).toEqual(said);
    for (const piece of pieces)
      expect(
        Buffer.concat([...eachPacket(piece)].map(({ line, at }) => piece.subarray(at - 4, at + line.length))),
      ).toEqual(piece);
  }
});

test("what is no packet is handed on, for Git to refuse", () => {
  expect(String(createWholePackets()(Buffer.from("0004zzzz and more")))).toBe("0004zzzz and more");
});
