import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { secretEncodings } from "@forgeline/runner/logs/secret-encodings.ts";
import { maskChunk } from "@forgeline/runner/logs/masker.ts";
import { maskByDefinition, maskInChunks } from "../../../support/masking.ts";
import { size } from "../../../support/size.ts";

/**
 * What must not be seen of a value, written down by hand: the value, hex, base64 where it begins at each third byte, the same
 * for addresses, percent and JSON escapes, the quoting of a shell, and each longer line. No more than this is masked.
 */
const spelledOut: Readonly<Record<string, readonly string[]>> = {
  abcabcabd: ["abcabcabd", "616263616263616264", "YWJjYWJjYWJk", "FiY2FiY2FiZ", "hYmNhYmNhYm"],
  aaaaaa: ["aaaaaa", "616161616161", "YWFhYWFh", "FhYWFhY", "hYWFhYW"],
  's3cr3t/+=? "q"': [
    's3cr3t/+=? "q"',
    "7333637233742f2b3d3f20227122",
    "7333637233742F2B3D3F20227122",
    "czNjcjN0Lys9PyAicS",
    "MzY3IzdC8rPT8gInEi",
    "zM2NyM3QvKz0/ICJxI",
    "zM2NyM3QvKz0_ICJxI",
    "s3cr3t%2F%2B%3D%3F%20%22q%22",
    String.raw`s3cr3t/+=? \"q\"`,
  ],
  [String.raw`it's?>~ü~>?k/"\x`]: [
    String.raw`it's?>~ü~>?k/"\x`,
    "697427733f3e7ec3bc7e3e3f6b2f225c78",
    "697427733F3E7EC3BC7E3E3F6B2F225C78",
    "aXQncz8+fsO8fj4/ay8iXH",
    "l0J3M/Pn7DvH4+P2svIlx4",
    "pdCdzPz5+w7x+Pj9rLyJce",
    "aXQncz8-fsO8fj4_ay8iXH",
    "l0J3M_Pn7DvH4-P2svIlx4",
    "pdCdzPz5-w7x-Pj9rLyJce",
    "it's%3F%3E~%C3%BC~%3E%3Fk%2F%22%5Cx",
    String.raw`it's?>~ü~>?k/\"\\x`,
    String.raw`it'\''s?>~ü~>?k/"\x`,
  ],
  "line one is long\nshort\nline two is long": [
    "line one is long\nshort\nline two is long",
    "6c696e65206f6e65206973206c6f6e670a73686f72740a6c696e652074776f206973206c6f6e67",
    "6C696E65206F6E65206973206C6F6E670A73686F72740A6C696E652074776F206973206C6F6E67",
    "bGluZSBvbmUgaXMgbG9uZwpzaG9ydApsaW5lIHR3byBpcyBsb25n",
    "xpbmUgb25lIGlzIGxvbmcKc2hvcnQKbGluZSB0d28gaXMgbG9uZ",
    "saW5lIG9uZSBpcyBsb25nCnNob3J0CmxpbmUgdHdvIGlzIGxvbm",
    "line%20one%20is%20long%0Ashort%0Aline%20two%20is%20long",
    String.raw`line one is long\nshort\nline two is long`,
    "line one is long",
    "bGluZSBvbmUgaXMgbG9uZ",
    "xpbmUgb25lIGlzIGxvbm",
    "saW5lIG9uZSBpcyBsb25n",
    "line two is long",
    "bGluZSB0d28gaXMgbG9uZ",
    "xpbmUgdHdvIGlzIGxvbm",
    "saW5lIHR3byBpcyBsb25n",
    "short",
    "c2hvcn",
    "Nob3J0",
    "zaG9yd",
  ],
};

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

describe("masking", () => {
  it.each(Object.entries(spelledOut))("knows all forms of %j, and no others", (secret, forms) => {
    const found = secretEncodings([secret]).map((form) => form.toString());
    expect(found.toSorted()).toEqual([...forms].toSorted());
  });

  it("does not depend on where the stream is cut, and is what the definition says", () => {
    const forms = secretEncodings(Object.keys(spelledOut));
    const hidden = Object.values(spelledOut).flat();
    const hiddenBytes = hidden.map((text) => Buffer.from(text));
    const hiddenText = hiddenBytes.map((bytes) => bytes.toString("latin1"));
    for (let round = 0; round < size(800, 3_000); round++) {
      let text = "";
      while (text.length < 120) {
        const form = hidden[randomInt(hidden.length)] ?? "";
        const part = [form, form.slice(0, randomInt(1, form.length)), "abc", "a".repeat(randomInt(9)), "\n"];
        text += part[randomInt(part.length)];
      }
      const raw = Buffer.from(text);
      const cuts = sorted(Array.from({ length: randomInt(8) }, () => randomInt(raw.length)));
      const masked = maskInChunks(forms, raw, cuts).toString("latin1");
      expect({ text, cuts, masked }).toEqual({ text, cuts, masked: maskByDefinition(hiddenBytes, raw) });
      expect(hiddenText.filter((form) => masked.includes(form))).toEqual([]);
    }
  });

  it("leaves nothing of the value in base64 at any alignment, in hex, and escaped", () => {
    const secret = 'to?ken/with "quotes"+more';
    const forms = secretEncodings([secret]);
    const masked = (text: string) => maskInChunks(forms, Buffer.from(text), []).toString();
    // What is left of base64 stands for the bytes beside the value, and for some bits of its ends.
    expect(masked(Buffer.from(`${secret}zz`).toString("base64"))).toBe("***Xp6");
    expect(masked(Buffer.from(`a${secret}zz`).toString("base64"))).toBe("YX***V6eg==");
    expect(masked(Buffer.from(`ab${secret}zz`).toString("base64"))).toBe("YWJ***eno=");
    expect(masked(Buffer.from(`${secret}zz`).toString("base64url"))).toBe("***Xp6");
    expect(masked(`<${Buffer.from(secret).toString("hex")}>`)).toBe("<***>");
    expect(masked(`?key=${encodeURIComponent(secret)}&x`)).toBe("?key=***&x");
    expect(masked(JSON.stringify({ secret }))).toBe('{"secret":"***"}');
  });

  it("leaves short lines and other text alone, without copying", () => {
    const forms = secretEncodings(["x\nlong enough line", "abc"]);
    const raw = Buffer.from("x abc nothing here\n");
    expect(maskInChunks(forms, raw, []).toString()).toBe(raw.toString());
    expect(maskChunk(forms, { raw, covered: 0, final: true }).out.buffer).toBe(raw.buffer);
  });

  it("holds back no more than the beginning of a form", () => {
    const forms = secretEncodings(["svc_job_secret"]);
    const step = maskChunk(forms, { raw: Buffer.from("output svc_jo"), covered: 0, final: false });
    expect(step).toMatchObject({ consumed: 7, covered: 0 });
    expect(maskChunk(forms, { raw: Buffer.from("prompt> "), covered: 0, final: false }).consumed).toBe(8);
  });
});
