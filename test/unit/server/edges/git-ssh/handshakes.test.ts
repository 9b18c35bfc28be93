import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createHandshakes,
  type Handshake,
  type HandshakeLimits,
} from "@forgeline/server/edges/git-ssh/handshakes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

const one = { burst: 1, perSecond: 1 };
const plenty = { burst: 1_000, perSecond: 1_000 };

function start(limits: Partial<HandshakeLimits>) {
  const handshakes = createHandshakes({ ofAddress: plenty, strangers: plenty, known: plenty, ...limits });
  const begun: string[] = [];
  const gone = new Set<string>();
  const there = new Map<string, Handshake>();
  const begin = (name: string) =>
    handshakes.begin({
      block: name[0]!,
      isGone: () => gone.has(name),
      onHeld: () => undefined,
      mayBegin(handshake) {
        begun.push(name);
        there.set(name, handshake);
      },
    });
  return { begun, gone, there, begin };
}

test("addresses take turns, however many of one wait", () => {
  const { begun, begin } = start({ strangers: one });
  for (const name of ["a0", "a1", "a2", "a3", "b0", "b1"]) begin(name);
  expect(begun).toEqual(["a0"]);
  vi.advanceTimersByTime(10_000);
  expect(begun).toEqual(["a0", "a1", "b0", "a2", "b1", "a3"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("an address that has used up its own keeps no other waiting", () => {
  const { begun, begin } = start({ ofAddress: one });
  for (const name of ["a0", "a1", "b0"]) begin(name);
  expect(begun).toEqual(["a0", "b0"]);
});

test("a login has not counted", () => {
  const { begun, there, begin } = start({ ofAddress: one });
  for (let n = 0; n < 5; n++) {
    begin(`a${n}`);
    there.get(`a${n}`)?.loggedIn();
  }
  expect(begun).toHaveLength(5);
});

test("where somebody has logged in before, strangers' floods are waited for by nobody", () => {
  const { begun, there, begin } = start({ strangers: one });
  begin("a0");
  there.get("a0")?.loggedIn();
  for (const name of ["b0", "c0", "a1"]) begin(name);
  expect(begun).toEqual(["a0", "b0", "a1"]);
});

test("who went away while waiting takes nothing", () => {
  const { begun, gone, begin } = start({ strangers: one });
  for (const name of ["a0", "a1", "b0"]) begin(name);
  gone.add("a1");
  vi.advanceTimersByTime(1_000);
  expect(begun).toEqual(["a0", "b0"]);
});
