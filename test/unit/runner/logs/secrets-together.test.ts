/**
 * Row 36 of security.md, for secrets as people store them, several in one job: parts and encodings of each other, printed by several
 * steps. The stream of each step is masked by itself: what is cut at the border between two steps is not promised, and only counted.
 */
import { expect, test } from "vitest";
import { secretEncodings } from "@forgeline/runner/logs/secret-encodings.ts";
import { counted } from "../../../support/counted.ts";
import { maskByDefinition, maskInChunks } from "../../../support/masking.ts";
import { base64, base64Url, printedForms, shortest } from "../../../support/printed-forms.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

/** Streams of steps. */
const rounds = size(600, 1_000_000);
const streamsOfSecrets = size(6, 30);

const random = seededRandom(seed);
const upTo = (n: number) => Math.floor(random() * n);
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)]!;
const bytes = (length: number) => Buffer.from(Array.from({ length }, () => upTo(256)));
const signs = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
const word = (length: number, among = signs) => Array.from({ length }, () => oneOf(among)).join("");

function privateKey(): string {
  const lines = Array.from({ length: 1 + upTo(3) }, () => base64(bytes(48)));
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n${base64(bytes(1 + upTo(40)))}\n-----END PRIVATE KEY-----\n`;
}

const stored = [
  privateKey,
  () => JSON.stringify({ id: word(8), key: privateKey(), url: `https://${word(6)}/?a=b&c` }, null, upTo(3)),
  () => base64(bytes(6 + upTo(40))),
  () => base64Url(bytes(6 + upTo(40))),
  () =>
    `postgres://${word(4)}:${encodeURIComponent(word(8, Array.from(`@:/%+ ü'"a`)))}@db.${word(3)}:5432/x?ssl=1`,
  () => `ghp_${word(16)}`,
  () => word(shortest + 2 + upTo(14), Array.from(`ab'"\\$ &%<>?#;|{}~ü€😀`)),
  () => `user:${word(6)}\r\npassword: ${word(10)}\r\n`,
];
/** What is kept as a secret of its own beside the one that it comes from. */
const related = [
  (other: string) => other.slice(upTo(3)).padEnd(shortest, "x"),
  (other: string) => other.slice(0, shortest + upTo(other.length)),
  (other: string) => base64(Buffer.from(other)),
  (other: string) => encodeURIComponent(other.toWellFormed()),
  (other: string) => `${other.slice(-shortest - 2)}${word(4)}`.padEnd(shortest, "x"),
];

/** Halves of characters, which no job can be given, are left out. */
function someSecrets(): string[] {
  const values = [oneOf(stored)()];
  for (let more = 1 + upTo(3); more > 0; more -= 1)
    values.push(random() < 0.4 ? oneOf(related)(oneOf(values)) : oneOf(stored)());
  return values.map((value) => value.toWellFormed());
}

function newSecrets() {
  const values = someSecrets();
  const forms = values.map(printedForms);
  const hidden = [...new Set(forms.flat())].map((form) => Buffer.from(form));
  const hiddenText = hidden.map((form) => form.toString("latin1"));
  return { values, known: secretEncodings(values), forms, hidden, hiddenText };
}
type Secrets = ReturnType<typeof newSecrets>;

/** What the steps of a job print one after the other. */
function printedByAll({ values, forms }: Secrets): Buffer {
  const parts = Array.from({ length: 2 + upTo(6) }, () => {
    const which = upTo(values.length);
    const form = oneOf(forms[which]!);
    const together = Buffer.concat([bytes(upTo(7)), Buffer.from(values[which]!), bytes(upTo(5))]);
    return oneOf([
      () => form,
      () => form,
      () => `${form}${oneOf(oneOf(forms))}`,
      () => form.slice(0, 1 + upTo(form.length)),
      () => form.slice(upTo(form.length)),
      () => base64(together),
      () => base64Url(together),
      () => `${word(upTo(20))}\n`,
    ])();
  });
  return Buffer.from(parts.join(oneOf(["", "", " ", "\n"])));
}

const borders = (count: number, length: number) =>
  [0, ...Array.from({ length: count }, () => upTo(length + 1)), length].toSorted((a, b) => a - b);

function maskStep({ known, hidden, hiddenText }: Secrets, raw: Buffer) {
  const cuts = borders(upTo(oneOf([3, 12, 40])), raw.length);
  const masked = maskInChunks(known, raw, cuts).toString("latin1");
  const leaked = hiddenText.filter((form) => masked.includes(form));
  const expected = maskByDefinition(hidden, raw);
  return { raw: raw.toString(), cuts, masked, expected, leaked };
}

test(`no form of several secrets comes out of any step, and nothing else is masked (seed ${seed})`, (context) => {
  const wrong: unknown[] = [];
  let [streams, places, overBorders] = [0, 0, 0];
  while (streams < rounds && wrong.length === 0) {
    const secrets = newSecrets();
    for (const end = streams + streamsOfSecrets; streams < end && wrong.length === 0;) {
      const all = printedByAll(secrets);
      const at = borders(upTo(3), all.length);
      const steps = at.slice(1).map((to, i) => maskStep(secrets, all.subarray(at[i], to)));
      streams += steps.length;
      for (const step of steps) {
        places += step.masked.split("***").length - 1;
        if (step.leaked.length > 0 || step.masked !== step.expected)
          wrong.push({ secrets: secrets.values, ...step });
      }
      const together = steps.map(({ masked }) => masked).join("");
      if (secrets.hiddenText.some((form) => together.includes(form))) overBorders += 1;
    }
  }
  counted(context, { streams, "places masked": places, "cut between steps, and so seen": overBorders });
  expect(wrong).toEqual([]);
  expect(places).toBeGreaterThan(rounds / 2);
});
