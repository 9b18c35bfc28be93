/**
 * Row 36 of security.md: made-up secrets in made-up streams, cut into made-up chunks, and no listed form of a secret comes out.
 * What must not be seen is told here by encoding the secret between different neighbours, and not as the masker does it.
 */
import { expect, test } from "vitest";
import { secretEncodings } from "@forgeline/runner/logs/secret-encodings.ts";
import { counted } from "../../../support/counted.ts";
import { maskByDefinition, maskInChunks } from "../../../support/masking.ts";
import { base64, base64Url, printedForms, shortest } from "../../../support/printed-forms.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

const rounds = size(1_500, 1_000_000);
const roundsOfASecret = 20;
const random = seededRandom(seed);
const upTo = (n: number) => Math.floor(random() * n);
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)]!;
const alphabets = [
  "ab",
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "ABab+/=-_.~",
  `a'"\\ $&%<>?#`,
  "aü€😀\u0301",
].map((text) => Array.from(text));

function randomText(length: number, alphabet = oneOf(alphabets)): string {
  return Array.from({ length }, () => oneOf(alphabet)).join("");
}

function randomSecret(): string {
  if (random() < 0.2) return randomText(shortest);
  if (random() < 0.7) return randomText(shortest + upTo(40));
  const lines = Array.from({ length: 2 + upTo(4) }, () => randomText(upTo(12)));
  return lines.join(oneOf(["\n", "\r\n"])).padEnd(shortest, "x");
}

/** The secret as somebody prints it: in one of its forms, or encoded together with what stands beside it. */
function printed(secret: string, forms: readonly string[]): string {
  const beside = (max: number) => Buffer.from(Array.from({ length: upTo(max) }, () => upTo(256)));
  const together = () => Buffer.concat([beside(7), Buffer.from(secret), beside(5)]);
  return oneOf([() => oneOf(forms), () => base64(together()), () => base64Url(together())])();
}

function randomStream(secret: string, forms: readonly string[]): Buffer {
  const parts = Array.from({ length: 1 + upTo(6) }, () =>
    oneOf([
      () => printed(secret, forms),
      () => oneOf(forms).slice(0, -1),
      () => oneOf(forms).slice(1),
      () => randomText(upTo(30)),
      () => "\n",
    ])(),
  );
  return Buffer.from(parts.join(random() < 0.5 ? "" : " "));
}

function maskSomehow(forms: readonly Buffer[], raw: Buffer): Buffer {
  const cuts: number[] = [];
  const chunk = () => 1 + upTo(oneOf([2, 12, 200]));
  for (let end = chunk(); end < raw.length; end += chunk()) cuts.push(end);
  return maskInChunks(forms, raw, cuts);
}

interface Secret {
  text: string;
  /** As the masker knows them. */
  known: Buffer[];
  forms: readonly string[];
  hidden: readonly Buffer[];
  hiddenText: readonly string[];
}

function newSecret(): Secret {
  const text = randomSecret();
  const forms = printedForms(text);
  const hidden = forms.map((form) => Buffer.from(form));
  return {
    text,
    known: secretEncodings([text]),
    forms,
    hidden,
    hiddenText: hidden.map((form) => form.toString("latin1")),
  };
}

function tryStream({ text, known, forms, hidden, hiddenText }: Secret) {
  const raw = randomStream(text, forms);
  const masked = maskSomehow(known, raw).toString("latin1");
  const leaked = hiddenText.filter((form) => masked.includes(form));
  const expected = maskByDefinition(hidden, raw);
  const isGood = leaked.length === 0 && masked === expected;
  return { secret: text, raw, masked, expected, leaked, isGood };
}

test(`no form of a secret comes out, and nothing else is masked (seed ${seed})`, (context) => {
  const wrong: unknown[] = [];
  let [secrets, places, leaks] = [0, 0, 0];
  for (let round = 0; round < rounds && wrong.length === 0; round += roundsOfASecret) {
    const secret = newSecret();
    secrets += 1;
    for (let stream = 0; stream < roundsOfASecret; stream += 1) {
      const { raw, ...tried } = tryStream(secret);
      places += tried.masked.split("***").length - 1;
      leaks += tried.leaked.length;
      if (!tried.isGood) wrong.push({ ...tried, raw: raw.toString() });
    }
  }
  counted(context, { streams: rounds, secrets, "places masked": places, "forms that came out": leaks });
  expect(wrong).toEqual([]);
  expect(places).toBeGreaterThan(rounds / 2);
});

test("lines of one to three characters are not masked by themselves", () => {
  const forms = secretEncodings(["a\nbb\nccc\ndddd", "{\n}\n"]);
  const text = "a bb ccc { } ddd\n";
  expect(maskSomehow(forms, Buffer.from(text)).toString()).toBe(text);
  expect(maskSomehow(forms, Buffer.from("a dddd\n")).toString()).toBe("a ***\n");
});
