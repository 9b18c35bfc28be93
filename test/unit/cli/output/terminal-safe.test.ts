import { describe, expect, test } from "vitest";
import { inOneLine, terminalSafe } from "@forgeline/cli/output/terminal-safe.ts";

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

test("what turns or hides text is shown by its number, and joiners pass", () => {
  const turning = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
  const invisible = [
    0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2060, 0x2063, 0xfeff,
  ];
  for (const code of [...turning, ...invisible, 0xe0001]) {
    const number = code.toString(16).toUpperCase().padStart(4, "0");
    expect(terminalSafe(`a${String.fromCodePoint(code)}b`)).toBe(`a<U+${number}>b`);
  }
  expect(terminalSafe("\u001b[1mif (\u202e admin")).toBe("\u001b[1mif (<U+202E> admin\u001b[0m");
  for (const text of ["می\u200cخواهم", "👩\u200d🚀", "Größe 名前 שם"]) expect(terminalSafe(text)).toBe(text);
});

test("a text of several lines is shown in one", () => {
  expect(inOneLine("cloning failed:\n  fatal: no\r\n\u001b[2J\n")).toBe("cloning failed: fatal: no ␛[2J");
});
