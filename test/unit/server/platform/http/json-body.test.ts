import { Readable } from "node:stream";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readBody } from "@forgeline/server/platform/http/json-body.ts";

function body(chunks: AsyncIterable<Buffer> | Buffer[]): IncomingMessage {
  return Object.assign(Readable.from(chunks), { headers: {} }) as unknown as IncomingMessage;
}

async function* trickle(): AsyncGenerator<Buffer> {
  yield Buffer.from("{");
  await new Promise(() => undefined);
}

test("reads to the end", async () => {
  expect(String(await readBody(body([Buffer.from("{"), Buffer.from("}")]), 2))).toBe("{}");
});

test("a body that does not end is refused after a time, and its connection is left for the answer", async () => {
  const slow = body(trickle());
  await expect(readBody(slow, 100, 50)).rejects.toMatchObject({
    code: "bad_request",
    message: "The body did not arrive within 0.05 seconds.",
  });
  expect(slow.destroyed).toBe(false);
});

test("a body that is too large is refused as soon as it is known", async () => {
  const large = body([Buffer.alloc(60), Buffer.alloc(60), Buffer.alloc(60)]);
  await expect(readBody(large, 100)).rejects.toMatchObject({ code: "payload_too_large" });
  expect(large.destroyed).toBe(false);
});
