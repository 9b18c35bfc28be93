/** What comes of a text: harmless elements, whatever was written, in time that is in proportion to it. */
import type { Element } from "hast";
import { describe, expect, test } from "vitest";
import { maxTextLength } from "@forgeline/markdown/cost.ts";
import { parse } from "@forgeline/markdown/parse.ts";
import type { TextPlace } from "@forgeline/markdown/place.ts";
import { eachElement, wordsOf } from "@forgeline/markdown/walk.ts";

function elementsOf(text: string, place: TextPlace = {}): Element[] {
  const elements: Element[] = [];
  eachElement(parse(text, place).root, (element) => void elements.push(element));
  return elements;
}
const tagsOf = (text: string) => elementsOf(text).map(({ tagName }) => tagName);
const first = (text: string, tag: string, place: TextPlace = {}) =>
  elementsOf(text, place).find(({ tagName }) => tagName === tag);

describe("of what could do harm nothing is left:", () => {
  test.each([
    "<script>alert(1)</script>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<style>main { display: none }</style>",
    '<iframe src="https://x.example"></iframe>',
    '<form action="https://x.example"><button>x</button></form>',
    '<object data="x"></object><embed src="x"><base href="//x"><meta http-equiv=refresh>',
    "<math><mtext><style><img src=x onerror=alert(1)>",
    '<b onclick="alert(1)" style="position: fixed" class="reference">x</b>',
    "[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,x) [v](vbscript:x)",
    '<a href="javascript:alert(1)">x</a><a href="&#106;avascript:alert(1)">x</a><a href=" javascript:x">x</a>',
    "![x](javascript:alert(1)) ![y](data:image/svg+xml,x)",
    "<details open ontoggle=alert(1)>x</details>",
  ])("%s", (text) => {
    for (const { tagName, properties } of elementsOf(text)) {
      expect(tagName).not.toMatch(/^(?:script|svg|style|iframe|form|button|object|embed|base|meta|math)$/);
      expect(Object.keys(properties).join(" ")).not.toMatch(/(?:^| )on|style|class/i);
      expect(String(properties["href"] ?? properties["src"] ?? "")).not.toMatch(/script:|data:/i);
    }
    expect(wordsOf(parse(text).root)).not.toContain("display: none");
  });

  test("ids name nothing of the page, nor of another text", () => {
    expect(first('<a id="session" name="csp-nonce">x</a>', "a")?.properties).toEqual({
      id: "user-content-session",
      name: "user-content-csp-nonce",
    });
    expect(first("# One", "h1", { textId: "r1" })?.properties["id"]).toBe("user-content-r1-one");
  });

  test("nobody writes the marks of ours", () => {
    const text = '<input type=checkbox disabled data-task="0"><blockquote data-alert="note">x</blockquote>';
    const marks = elementsOf(text).flatMap(({ properties }) => Object.keys(properties));
    expect(marks).toEqual(["type", "disabled"]);
  });
});

test("alerts, tasks, headings and code have what pages draw them with", () => {
  expect(first("> [!NOTE]\n> words", "blockquote")?.properties).toEqual({ dataAlert: "note" });
  expect(first("> [!NOTE] words", "blockquote")?.properties).toEqual({});
  expect(first("- [x] done #1", "input")?.properties).toMatchObject({ dataTask: 0, ariaLabel: "done #1" });
  const ids = elementsOf("# A b\n\n# A b\n\n# Ünï_1!").map(({ properties }) => properties["id"]);
  expect(ids).toEqual(["user-content-a-b", "user-content-a-b-1", "user-content-ünï_1"]);
  expect(first("```mermaid\nx\n```", "code")?.properties["className"]).toEqual(["language-mermaid"]);
});

test.each<[string, string[]]>([
  ["$x^2$ and $`y`$", ["x^2", "y"]],
  ["$5 and $10, $HOME/$USER, a$b$c, \\$x$ $ y $", []],
  ["$$\na\nb\n$$", ["a\nb"]],
  ["$$ z $$", ["z"]],
  ["`$x$`", []],
  ["```math\nx\n```", ["x\n"]],
])("formulas of %j are %j", (text, formulas) => {
  const found = elementsOf(text).filter(({ properties }) => String(properties["className"]).includes("math"));
  expect(found.map(wordsOf)).toEqual(formulas);
});

test("references become links where they are asked for", () => {
  const place = { repository: "ada/code", ref: "main", instance: "https://code.example", references: true };
  const text = "#1 o/r!2 @ada @acme/a/b abcdef1 src/a.ts#L3-L5 https://code.example/ada/code/issues/4#c";
  const links = elementsOf(text, place).map((link) => [wordsOf(link), link.properties["href"]]);
  expect(links.slice(1)).toEqual([
    ["#1", "/ada/code/issues/1"],
    ["o/r!2", "/o/r/merge-requests/2"],
    ["@ada", "/ada"],
    ["@acme/a/b", "/orgs/acme/teams/a/b"],
    ["abcdef1", "/ada/code/commit/abcdef1"],
    ["src/a.ts#L3-L5", "/ada/code/blob/main/src/a.ts#L3-L5"],
    ["#4", "/ada/code/issues/4#c"],
  ]);
  expect(tagsOf("#1 @ada")).toEqual(["p"]);
  expect(elementsOf("#1", { references: true }).map(({ tagName }) => tagName)).toEqual(["p"]);
});

describe("a text that is made to cost much", () => {
  const filled = (part: string) => part.repeat(Math.floor(maxTextLength / part.length));
  test.each([
    ["too long", `${filled("a")}aa`, true],
    ["deep markup", filled("<b>"), true],
    ["many footnotes", Array.from({ length: 20_000 }, (_, index) => `[^${index}]: a`).join("\n\n"), true],
    ["a long address used often", `[a]: ${"b".repeat(5_000)}\n\n${"[a] ".repeat(20_000)}`, true],
    ["brackets", "[".repeat(100_000), false],
    ["deep quotations", filled("> "), true],
    ["deep lists", filled("- "), false],
    ["emphasis", filled("*a_ "), false],
    ["a table of small cells", filled("a|b\n-|-\n"), true],
    ["a list of small items", filled("- a\n"), false],
    ["a table for people", `a|b\n-|-\n${"some words|a number\n".repeat(10_000)}`, false],
    ["cells", `${"|a".repeat(500)}\n${"|-".repeat(500)}\n${"|\n".repeat(20_000)}`, false],
  ])("is shown, as it was written if need be: %s", (_, text, isPlain) => {
    expect(parse(text, { references: true }).isPlain).toBe(isPlain);
  });
});
