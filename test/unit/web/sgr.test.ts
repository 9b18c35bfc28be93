import { describe, expect, it } from "vitest";
import { seeded } from "../../support/log-frames.ts";
import { parseSgr, plainStyle, plainText, type SgrStyle } from "../../../web/src/features/runs/log/sgr.ts";
import { size } from "../../support/size.ts";

const esc = "\u001b";
const told = (text: string) =>
  parseSgr(text).spans.map(({ text: words, style }) => [words, differing(style)] as const);

function differing(style: SgrStyle): Partial<SgrStyle> {
  return Object.fromEntries(
    Object.entries(style).filter(([key, value]) => value !== plainStyle[key as keyof SgrStyle]),
  );
}

describe("colours of a log line", () => {
  it("reads 16, 256 and true colours, and what puts them out", () => {
    expect(told(`a${esc}[31mb${esc}[0mc`)).toEqual([
      ["a", {}],
      ["b", { colour: 1 }],
      ["c", {}],
    ]);
    expect(told(`${esc}[1;92;44mx`)).toEqual([["x", { bold: true, colour: 10, ground: 4 }]]);
    expect(told(`${esc}[38;5;208mx${esc}[48;2;1;20;255my`)).toEqual([
      ["x", { colour: 208 }],
      ["y", { colour: 208, ground: "#0114ff" }],
    ]);
    expect(told(`${esc}[3;4;9;7mx${esc}[23;24;29;27my`)).toEqual([
      ["x", { italic: true, underlined: true, struck: true, inverse: true }],
      ["y", {}],
    ]);
    expect(told(`${esc}[31mx${esc}[my`)[1]).toEqual(["y", {}]);
  });

  it("goes on with the style that the line before left on", () => {
    const { after } = parseSgr(`${esc}[33mwarning`);
    expect(parseSgr("still", after).spans[0]?.style.colour).toBe(3);
  });

  it("drops every other sequence, with what it carries", () => {
    expect(plainText(`${esc}]8;;javascript:alert(1)${esc}\\click${esc}]8;;${esc}\\`)).toBe("click");
    expect(plainText(`${esc}]0;title\u0007text`)).toBe("text");
    expect(plainText(`${esc}[2K${esc}[1Gtext${esc}(B${esc}7${esc}[?25l`)).toBe("text");
    expect(plainText(`a\u0000\u0008\u0007b\tc`)).toBe("ab\tc");
    expect(plainText("in\u202everted")).toBe("inverted");
  });

  it("keeps text behind a sequence that never ends", () => {
    expect(plainText(`${esc}[31;31`)).toBe("31;31");
    expect(plainText(`${esc}[${"1;".repeat(1000)}`)).toContain("1;1;");
    expect(plainText(esc)).toBe("");
    const odd = told(`${esc}[38;5mx${esc}[38;2;1my${esc}[38;9;9mz${esc}[48;2;999;1;1m!${esc}[38;5;256m?`);
    expect(odd).toEqual("xyz!?".split("").map((words) => [words, {}]));
  });

  it("leaves markup as text", () => {
    const text = `<img src=x onerror=alert(1)>${esc}[31m</span><script>alert(1)</script>`;
    expect(parseSgr(text).spans.map((span) => span.text)).toEqual([
      "<img src=x onerror=alert(1)>",
      "</span><script>alert(1)</script>",
    ]);
  });

  it("reads any input to its end, with colours that are numbers or #rrggbb", () => {
    const random = seeded(7);
    const pieces = [
      esc,
      "[",
      "]",
      "m",
      "38",
      ";",
      "5",
      "2",
      ":",
      "255",
      "é",
      "<",
      "\u009b",
      "\u0007",
      "\\",
      "x",
      " ",
      "P",
      "?",
    ];
    for (let round = 0; round < size(3_000, 20_000); round += 1) {
      let text = "";
      for (let length = Math.floor(random() * 24); length > 0; length -= 1)
        text += pieces[Math.floor(random() * pieces.length)];
      for (const { text: words, style } of parseSgr(text).spans) {
        // oxlint-disable-next-line no-control-regex -- what may not be left
        expect(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(words)).toBe(false);
        for (const colour of [style.colour, style.ground])
          expect(colour === null || /^(?:\d{1,3}|#[0-9a-f]{6})$/.test(String(colour))).toBe(true);
      }
    }
  });

  it("takes time in proportion to the text", () => {
    // Each of these made a naive reader look at the rest again and again.
    for (const piece of [`${esc}]`, `${esc}[1;`, `${esc}P`, `${esc}[38;2;1;2;3mx`, esc])
      expect(parseSgr(piece.repeat(65_536)).after).toBeDefined();
  });
});
