import { describe, expect, it } from "vitest";
import { hasHidden, partsWithHidden } from "../../../../web/src/features/contents/hidden-characters.ts";
import { fileTree, filesNamed, type TreeNode } from "../../../../web/src/features/diffs/file-tree.ts";
import { paintLine } from "../../../../web/src/features/diffs/paint-line.ts";
import { wordDiff, type Span } from "../../../../web/src/features/diffs/word-diff.ts";

const cut = (text: string, spans: readonly Span[] = []) => spans.map(({ from, to }) => text.slice(from, to));
const changed = (before: string, after: string) => {
  const spans = wordDiff(before, after);
  return spans && [cut(before, spans.before), cut(after, spans.after)];
};

describe("words of a changed line", () => {
  it("are those that differ", () => {
    expect(changed("  return 42;", "  return 43;")).toEqual([["42"], ["43"]]);
    expect(changed("call(a, b)", "call(a, größe, b)")).toEqual([[], ["größe, "]]);
    expect(changed("same", "same")).toEqual([[], []]);
  });

  it("are not looked for in lines with little in common, nor in long ones", () => {
    expect(changed("import a from b;", "console.log(42)")).toBeUndefined();
    expect(changed("x".repeat(1_001), "x")).toBeUndefined();
    const many = (word: string) => Array.from({ length: 300 }, (_, index) => word[index % 2]).join(" ");
    expect(changed(many("ab"), many("cd"))).toBeUndefined();
  });

  it("are cut out of coloured pieces", () => {
    const colors = [
      { text: "const ", className: "k" },
      { text: "answer = 42", className: "" },
    ];
    const changedSpans = [
      { from: 3, to: 8 },
      { from: 15, to: 17 },
    ];
    const painted = paintLine("const answer = 42", { colors, changed: changedSpans });
    expect(painted.map(({ text, className, isChanged }) => [text, className, isChanged])).toEqual([
      ["con", "k", false],
      ["st ", "k", true],
      ["an", "", true],
      ["swer = ", "", false],
      ["42", "", true],
    ]);
    expect(paintLine("", {})).toEqual([]);
  });
});

describe("hidden characters", () => {
  it("are named by their code", () => {
    expect(partsWithHidden("a\u202eb\u200bc")).toEqual([
      { text: "a" },
      { text: "\u202e", code: "U+202E" },
      { text: "b" },
      { text: "\u200b", code: "U+200B" },
      { text: "c" },
    ]);
    expect(partsWithHidden("\u{e0041}")).toEqual([{ text: "\u{e0041}", code: "U+E0041" }]);
  });

  it("are none of those that people write with", () => {
    for (const text of ["\tif (größe) {", "👩‍👩‍👧", "نمی‌خواهم", "a\u00a0b", "❤️"])
      expect(hasHidden(text)).toBe(false);
    expect(hasHidden("admin\u200d")).toBe(true);
  });
});

describe("the list of changed files", () => {
  const files = ["README.md", "src/app/a.ts", "src/app/b.ts", "test/unit/web/c.ts"].map((path) => ({
    path,
    previous_path: path.endsWith("a.ts") ? "lib/old.ts" : null,
  }));
  const names = (nodes: readonly TreeNode<{ path: string }>[]): unknown[] =>
    nodes.map((node) => (node.kind === "file" ? node.name : [node.name, names(node.nodes)]));

  it("is a tree, in which a directory with nothing but another one is shown with it", () => {
    expect(names(fileTree(files))).toEqual([
      "README.md",
      ["src/app", ["a.ts", "b.ts"]],
      ["test/unit/web", ["c.ts"]],
    ]);
  });

  it("is filtered by paths, now and before", () => {
    const found = (words: string) => filesNamed(files, words).map(({ path }) => path);
    expect(found(" APP/ ")).toEqual(["src/app/a.ts", "src/app/b.ts"]);
    expect(found("old")).toEqual(["src/app/a.ts"]);
    expect(found("")).toHaveLength(4);
  });
});
