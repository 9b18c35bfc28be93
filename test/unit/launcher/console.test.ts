import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, expect, test, vi } from "vitest";
import { createConsole } from "@forgeline/launcher/console.ts";

afterEach(() => vi.unstubAllEnvs());

/** What `console.ready` writes to a pipe, or to what calls itself a terminal. */
function printed(isTTY: boolean): string {
  const out = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  if (isTTY) Object.assign(out, { isTTY, hasColors: WriteStream.prototype.hasColors });
  if (isTTY) Object.assign(out, { getColorDepth: WriteStream.prototype.getColorDepth });
  createConsole(out).ready("temporal", "ready");
  return String(out.read());
}

test("paints on a terminal, never into the pipe of a CI job", () => {
  for (const name of ["NO_COLOR", "FORCE_COLOR"]) vi.stubEnv(name, undefined);
  vi.stubEnv("CI", "true");
  vi.stubEnv("TERM", "xterm-256color");
  expect(printed(false)).toBe("temporal       ready\n");
  vi.stubEnv("CI", undefined);
  expect(printed(true)).toContain("\u001b[32mtemporal");
  vi.stubEnv("NO_COLOR", "1");
  expect(printed(true)).toBe("temporal       ready\n");
});
