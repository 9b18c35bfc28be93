import { expect, it } from "vitest";
import { delimiterPacket, flushPacket, packet, readPackets } from "@forgeline/runner/workspace/pkt-line.ts";

async function read(text: string, chunkBytes: number): Promise<string[]> {
  async function* source() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const found: string[] = [];
  for await (const each of readPackets(source()))
    found.push(each.kind === "data" ? each.bytes.toString() : each.kind);
  return found;
}

it.each([1, 3, 4, 5, 1000])("reads what was written, in chunks of %d bytes", async (chunkBytes) => {
  const text = `${packet("hello\n")}${delimiterPacket}${packet("")}${packet("für")}${flushPacket}`;
  expect(await read(text, chunkBytes)).toEqual(["hello\n", "delimiter", "", "für", "flush"]);
});

it.each(["zzzz", "0003", "fff1", "ffff"])("refuses a length of %s", async (length) => {
  await expect(read(`${length}x`, 10)).rejects.toThrow("not a packet line");
});

it.each(["000", "0005", "0009abc"])("refuses a stream that ends inside a packet: %s", async (text) => {
  await expect(read(text, 10)).rejects.toThrow("inside a packet");
});
