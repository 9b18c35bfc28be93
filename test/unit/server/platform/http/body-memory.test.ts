import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { defaultBodyBytes } from "@forgeline/schemas/core/route.ts";
import { bytesToCome, createBodyMemory } from "@forgeline/server/platform/http/body-memory.ts";

const room = () =>
  createBodyMemory({ ofOne: 10 * defaultBodyBytes, inAll: 15 * defaultBodyBytes }, new Registry());

test("bodies have room of one, and large ones of all together, which is free again once", () => {
  const bodies = room();
  const free = bodies.reserve("ada", 10 * defaultBodyBytes);
  expect(() => bodies.reserve("ada", 1)).toThrow("Send fewer at once");
  expect(() => bodies.reserve("bob", 6 * defaultBodyBytes)).toThrow("as much data as it can");
  bodies.reserve("bob", 5 * defaultBodyBytes);
  free();
  free();
  bodies.reserve("cyd", 10 * defaultBodyBytes);
  expect(() => bodies.reserve("dee", defaultBodyBytes + 1)).toThrow("as much data as it can");
});

test("a body of the usual size has room beside large ones, and takes of it", () => {
  const bodies = room();
  bodies.reserve("ada", 10 * defaultBodyBytes);
  bodies.reserve("bob", 5 * defaultBodyBytes);
  const free = bodies.reserve("cyd", defaultBodyBytes);
  expect(() => bodies.reserve("dee", defaultBodyBytes + 1)).toThrow("as much data as it can");
  free();
});

test("a body that does not say its size may have all that is allowed", () => {
  const message = new IncomingMessage(new Socket());
  expect(bytesToCome(message, 100)).toBe(100);
  message.headers["content-length"] = "7";
  expect(bytesToCome(message, 100)).toBe(7);
  message.headers["content-length"] = "700";
  expect(bytesToCome(message, 100)).toBe(100);
});
