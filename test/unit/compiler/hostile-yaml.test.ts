/** Row 46 of security.md with made-up files: none makes the compiler throw, take long, write out much, or change what all objects share. */
import { expect, test } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import { counted } from "../../support/counted.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { seed, size } from "../../support/size.ts";

const files = size(100, 100_000);
/** A server gives up a file after this (`compile-pool.ts`). Of processor time, as the machine may be busy. */
const maxMs = size(Infinity, 1_000);

const random = seededRandom(seed);
const upTo = (n: number) => Math.floor(random() * n);
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)]!;

const keys = [
  ..."__proto__ constructor prototype toString <<  image steps jobs env run needs on when services x-a".split(
    " ",
  ),
  '"__proto__"',
  "? [a, b]",
  "&k key",
  "*a",
  "!!str image",
  "null",
  "1e400",
  '"\\0"',
  '"\\ud800"',
];
const scalars = [
  ..."busybox true null ~ 1e999 0x7fffffffffffffff 0o7 .inf .nan 2026-01-01 *a *b *c".split(" "),
  "!!js/function 'function(){}'",
  "!!binary aGVsbG8=",
  "!!set {a, b}",
  "!!omap [a: b]",
  "!<tag:yaml.org,2002:python/object/apply:os.system> [id]",
  "!!float 1",
  '"${{ needs.a.outputs.b }}"',
  "|\n   block\n",
  ">-\n   folded\n",
  '"\\u0000"',
  "'it''s'",
  "[unclosed",
  "{unclosed: ",
];

function value(depth: number): string {
  const anchor = oneOf(["", "", "&a ", "&b ", "&c "]);
  if (depth === 0 || random() < 0.4) return anchor + oneOf(scalars);
  const count = upTo(random() < 0.02 ? 3_000 : 6);
  const items = Array.from({ length: count }, () => value(count > 10 ? 0 : depth - 1));
  if (random() < 0.5) return `${anchor}[${items.join(", ")}]`;
  return `${anchor}{${items.map((item) => `${oneOf(keys)}: ${item}`).join(", ")}}`;
}

/** Each level names the one before it ten times. */
function bomb(): string {
  const merge = random() < 0.5;
  const levels = Array.from({ length: 2 + upTo(9) }, (_, i) => {
    const before = Array.from({ length: 1 + upTo(12) }, () => `*b${i}`).join(", ");
    return `b${i + 1}: &b${i + 1} ${merge ? `{<<: [${before}], k${i}: 1}` : `[${before}]`}`;
  });
  return ["x-bomb:", `  b0: &b0 ${merge ? "{k: v}" : "[x, x]"}`, ...levels.map((line) => `  ${line}`)].join(
    "\n",
  );
}

function nested(): string {
  const [depth, sign] = [upTo(2 * limits.yamlDepth) + 1, oneOf(["[", "{a: ", "- ", "? "])];
  return `x-deep: ${sign.repeat(random() < 0.1 ? 10_000 : depth)}`;
}

const plain = "image: busybox\nsteps: ['true']\n";

function file(): string {
  const lines = Array.from({ length: 1 + upTo(6) }, () =>
    oneOf([() => `${oneOf(keys)}: ${value(4)}`, () => `- ${value(2)}`, bomb, nested, () => plain])(),
  );
  const text = random() < 0.5 ? plain + lines.join("\n") : lines.join("\n");
  return oneOf([
    () => text,
    () => text.replaceAll("\n", "\r\n"),
    () => `%YAML 1.2\n---\n${text}`,
    () => `${text}\n---\n${text}`,
    () => text.slice(0, upTo(text.length)),
    () => text.replace(/ /, oneOf(["\t", "\0", "\u2028", "\ufeff", "\ud800"])),
  ])();
}

function judge(text: string) {
  const before = process.threadCpuUsage();
  const { plan, diagnostics } = compile({ file: ".forgeline.yml", text });
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  const written = plan === null ? 0 : JSON.stringify(plan).length;
  const isJudged = plan !== null || diagnostics.some(({ severity }) => severity === "error");
  const isSmall = written <= limits.expandedChars && diagnostics.length <= limits.diagnostics;
  const isGood = isJudged && isSmall && ms <= maxMs;
  return { isTaken: plan !== null, ms, written, isGood };
}

test(`files that somebody made up are judged and do no harm (seed ${seed})`, (context) => {
  const shared = Object.getOwnPropertyNames(Object.prototype).toString();
  const wrong: unknown[] = [];
  let [taken, ms, written] = [0, 0, 0];
  for (let round = 0; round < files && wrong.length === 0; round += 1) {
    const text = file();
    const judged = judge(text);
    if (judged.isTaken) taken += 1;
    ms = Math.max(ms, Math.ceil(judged.ms));
    written = Math.max(written, judged.written);
    if (!judged.isGood) wrong.push({ text, ...judged });
  }
  counted(context, { files, taken, "most ms": ms, "most characters written out": written });
  expect(wrong).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype).toString()).toBe(shared);
  expect(({} as Record<string, unknown>)["image"]).toBeUndefined();
  expect(taken).toBeGreaterThan(0);
});
