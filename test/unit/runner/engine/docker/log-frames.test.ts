/** What a container printed, out of the daemon's frames, however they are cut. */
import { expect, test } from "vitest";
import { behind, payloads } from "@forgeline/runner/engine/docker/log-frames.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

function frame(text: string, stream = 1): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

async function* inPieces(bytes: Buffer, sizes: () => number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = sizes();
    yield bytes.subarray(at, at + size);
    at += size;
    await Promise.resolve();
  }
}

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const list: Buffer[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await all(pieces)).toString();
}

const lines = Array.from({ length: 200 }, (_, number) => `line ${number}${"x".repeat(number % 40)}\n`);
const bytes = Buffer.concat([...lines.map((line, at) => frame(line, 1 + (at % 2))), frame("")]);

test.each([1, 2, 3])("gives the payloads in their order, whatever the pieces (seed %i)", async (seed) => {
  const random = seededRandom(seed);
  const sizes = () => 1 + Math.floor(random() * 50);
  expect(await textOf(payloads(inPieces(bytes, sizes)))).toBe(lines.join(""));
});

test("gives one piece for each that came, so that many short lines cost few writes", async () => {
  const pieces = await all(payloads(inPieces(bytes, () => 4096)));
  expect(pieces.length).toBe(Math.ceil(bytes.length / 4096));
});

test.each([0, 1, 37, 5_000, 1_000_000])("leaves out the first %i bytes", async (count) => {
  const whole = lines.join("");
  const rest = behind(payloads(inPieces(bytes, () => 100)), count);
  expect(await textOf(rest)).toBe(whole.slice(count));
});
