import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskForms } from "@forgeline/runner/logs/mask-forms.ts";
import { maskChunk } from "@forgeline/runner/logs/masker.ts";

/** Feeds a stream in chunks as the reader does: what is not consumed comes again with what follows. */
function maskInChunks(forms: readonly Buffer[], raw: Buffer, cuts: readonly number[]): Buffer {
  const out: Buffer[] = [];
  let at = 0;
  let covered = 0;
  for (const end of [...cuts, raw.length]) {
    const step = maskChunk(forms, raw.subarray(at, Math.max(at, end)), covered, end === raw.length);
    out.push(Buffer.from(step.out));
    at += step.consumed;
    covered = step.covered;
  }
  return Buffer.concat(out);
}

/** The definition, said the slow way: mark every covered byte, then write each overlapping run once. */
function maskByDefinition(forms: readonly Buffer[], raw: Buffer): string {
  const found: [number, number][] = [];
  for (const form of forms)
    for (let at = raw.indexOf(form); at !== -1; at = raw.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  found.sort((a, b) => a[0] - b[0]);
  let out = "";
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) out += `${raw.subarray(end, from).toString("latin1")}***`;
    end = Math.max(end, to);
  }
  return out + raw.subarray(end).toString("latin1");
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

describe("masking", () => {
  it("does not depend on where the stream is cut, and is what the definition says", () => {
    const secrets = ["abcabcabd", "aaaaaa", 's3cr3t/+=? "q"', "line one is long\nshort\nline two is long"];
    const forms = maskForms(secrets);
    for (let round = 0; round < 3000; round++) {
      let text = "";
      while (text.length < 120) {
        const form = forms[randomInt(forms.length)]?.toString() ?? "";
        const part = [form, form.slice(0, randomInt(1, form.length)), "abc", "a".repeat(randomInt(9)), "\n"];
        text += part[randomInt(part.length)];
      }
      const raw = Buffer.from(text, "latin1");
      const cuts = sorted(Array.from({ length: randomInt(8) }, () => randomInt(raw.length)));
      const masked = maskInChunks(forms, raw, cuts).toString("latin1");
      expect({ text, cuts, masked }).toEqual({ text, cuts, masked: maskByDefinition(forms, raw) });
      for (const form of forms) expect(masked.includes(form.toString("latin1"))).toBe(false);
    }
  });

  it("finds the value in base64 at any alignment, in hex, and escaped", () => {
    const secret = 'to?ken/with "quotes"+more';
    const forms = maskForms([secret]);
    const shown = [
      ...["", "a", "ab"].map((before) => Buffer.from(`${before}${secret}zz`).toString("base64")),
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(secret),
      JSON.stringify({ secret }),
    ];
    for (const text of shown) expect(maskInChunks(forms, Buffer.from(text), []).toString()).toContain("***");
  });

  it("leaves short lines and other text alone, without copying", () => {
    const forms = maskForms(["x\nlong enough line", "tiny"]);
    const raw = Buffer.from("x tiny nothing here\n");
    expect(maskInChunks(forms, raw, []).toString()).toBe(raw.toString());
    expect(maskChunk(forms, raw, 0, true).out.buffer).toBe(raw.buffer);
  });

  it("holds back no more than the beginning of a form", () => {
    const forms = maskForms(["svc_job_secret"]);
    const step = maskChunk(forms, Buffer.from("output svc_jo"), 0, false);
    expect(step).toMatchObject({ consumed: 7, covered: 0 });
    expect(maskChunk(forms, Buffer.from("prompt> "), 0, false).consumed).toBe(8);
  });
});
