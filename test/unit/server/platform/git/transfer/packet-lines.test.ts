import { expect, test } from "vitest";
import {
  createWholePackets,
  maxPackets,
  packetsInOneTurn,
  readPackets,
} from "@forgeline/server/platform/git/transfer/packet-lines.ts";
import { packet } from "../../../../../support/git-packets.ts";
import { watchTurns } from "../../../../../support/turns.ts";

const said = Buffer.concat([
  packet("want a\n"),
  Buffer.from("0001"),
  packet(""),
  packet("have bb\n"),
  Buffer.from("0000"),
]);

async function read(
  packets: Buffer,
): Promise<{ line: string; start: number; end: number; length: number }[]> {
  const found: Awaited<ReturnType<typeof read>> = [];
  await readPackets(packets, (start, end, length) => {
    found.push({ line: packets.toString("latin1", start, end), start, end, length });
  });
  return found;
}

test("says each packet and where it stands", async () => {
  const packets = await read(said);
  expect(packets.map(({ line }) => line)).toEqual(["want a\n", "", "", "have bb\n", ""]);
  expect(packets.map(({ length }) => length)).toEqual([11, 1, 4, 12, 0]);
});

test.each([
  ["000G", []],
  ["-001", []],
  ["0x10", []],
  [" 005a", []],
  ["000Ahave", ["have"]],
  ["0005a0005", ["a", ""]],
  ["0005azzzz0005b", ["a"]],
])("reads lengths as Git does, and ends with what is no packet: %s", async (text, lines) => {
  expect((await read(Buffer.from(text))).map(({ line }) => line)).toEqual(lines);
});

test("ends where nobody wants more", async () => {
  let count = 0;
  await readPackets(said, () => ++count < 2);
  expect(count).toBe(2);
});

test("gives others their turn every few packets", async () => {
  const packets = Buffer.from("0005x".repeat(20 * packetsInOneTurn));
  const { result, turns } = await watchTurns(() => read(packets));
  expect(result).toHaveLength(20 * packetsInOneTurn);
  expect(turns).toBeGreaterThanOrEqual(19);
});

test("reads as many packets as anybody needs, and no more", async () => {
  let count = 0;
  const take = () => void (count += 1);
  await readPackets(Buffer.from("0005x".repeat(maxPackets)), take);
  expect(count).toBe(maxPackets);
  count = 0;
  const tooMany = readPackets(Buffer.from("0005x".repeat(maxPackets + 1)), take);
  await expect(tooMany).rejects.toMatchObject({ code: "payload_too_large" });
  expect(count).toBe(maxPackets);
  // All the wants of the largest request that is read at all.
  expect(maxPackets).toBeGreaterThan((16 * 1024 * 1024) / packet(`want ${"a".repeat(40)}\n`).length);
});

test("hands on whole packets, in whatever pieces they come", async () => {
  for (let size = 1; size <= said.length; size += 1) {
    const whole = createWholePackets();
    const pieces: Buffer[] = [];
    for (let at = 0; at < said.length; at += size) pieces.push(whole(said.subarray(at, at + size)));
    expect(Buffer.concat(pieces)).toEqual(said);
    for (const piece of pieces) {
      const packets = await read(piece);
      expect(Buffer.concat(packets.map(({ start, end }) => piece.subarray(start - 4, end)))).toEqual(piece);
    }
  }
});

test("what is no packet is handed on, for Git to refuse", () => {
  expect(String(createWholePackets()(Buffer.from("0004zzzz and more")))).toBe("0004zzzz and more");
});
