import { describe, expect, test } from "vitest";
import { terminalSafe } from "@forgeline/cli/output/terminal-safe.ts";

describe("terminalSafe", () => {
  test("lets text, tabs and colours through, and ends colours", () => {
    expect(terminalSafe("a\tb é 漢")).toBe("a\tb é 漢");
    expect(terminalSafe("\u001b[31mred")).toBe("\u001b[31mred\u001b[0m");
    expect(terminalSafe("\u001b[38;5;196mx\u001b[0m")).toBe("\u001b[38;5;196mx\u001b[0m\u001b[0m");
  });

  test.each([
    ["a hyperlink", "\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007"],
    ["a window title", "\u001b]0;owned\u0007"],
    ["cursor movement", "\u001b[2A\u001b[1G"],
    ["erasing", "\u001b[2J\u001b[K"],
    ["a device query", "\u001b[6n"],
    ["a one-byte introducer", "\u009b31m"],
    ["carriage return, bell, backspace, delete", "a\rb\u0007c\u0008d\u007f"],
  ])("shows %s instead of obeying it", (_what, text) => {
    const safe = terminalSafe(text);
    expect(
      Array.from(safe).filter(
        (c) => c.charCodeAt(0) < 0x20 || (c.charCodeAt(0) >= 0x7f && c.charCodeAt(0) < 0xa0),
      ),
    ).toEqual([]);
    expect(safe.length).toBe(text.length);
  });
});
