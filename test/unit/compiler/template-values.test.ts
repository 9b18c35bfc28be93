/** Whatever is given for an input arrives as that very value, in text and in conditions, through templates in templates. */
import { buildContexts } from "@forgeline/compiler/expression/values.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import { evaluateWhen } from "@forgeline/compiler/when.ts";
import { expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";
import { compiled, own } from "./with-templates.ts";
import { size } from "../../support/size.ts";

const parts = [
  "'",
  '"',
  "{{",
  "}}",
  "{",
  "}",
  "${{",
  "$",
  "\\",
  "\n",
  "{0}",
  "inputs.v",
  " || ",
  ")",
  "(",
  "#",
  "é",
  "a",
];
const rounds = size(80, 300);

/** The same each time. */
function createRandom(): (below: number) => number {
  let state = 20_261_128;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const inner = `
inputs: { v: { type: string } }
steps:
  - { run: x, env: { V: "<\${{ inputs.v }}>", S: "\${{ inputs.v == 'a' }}" }, when: "inputs.v == vars.WANTED" }
outputs: { v: "[\${{ inputs.v }}]" }`;
const outer = `
inputs: { v: { type: string } }
steps: [{ uses: ./inner.yml, id: i, with: { v: "{\${{ inputs.v }}}" } }]
outputs: { v: "\${{ steps.i.outputs.v }}" }`;

test(`${rounds} hostile texts`, () => {
  const random = createRandom();
  for (let round = 0; round < rounds; round += 1) {
    const text = Array.from({ length: random(12) }, () => parts[random(parts.length)] ?? "").join("");
    // In the file itself this would be an expression.
    const isPlain = !text.includes("${{");
    const event = exampleEvent({ variables: { WANTED: `{${text}}`, GIVEN: text } });
    const given = isPlain ? text : "${{ vars.GIVEN }}";
    const file = `image: a
steps:
  - { id: o, uses: ${own}, with: { v: ${JSON.stringify(given)} } }
  - { run: y, env: { O: "\${{ steps.o.outputs.v }}" } }`;
    const { plan, diagnostics } = compiled(file, { [own]: outer, "./inner.yml": inner });
    expect(diagnostics, text).toEqual([]);
    const [step, last] = plan?.jobs[0]?.steps ?? [];
    const contexts = buildContexts({ event });
    expect(renderTemplate(step?.env["V"] ?? "", contexts)).toBe(`<{${text}}>`);
    expect(renderTemplate(step?.env["S"] ?? "", contexts)).toBe(String(`{${text}}` === "a"));
    expect(renderTemplate(last?.env["O"] ?? "", contexts)).toBe(`[{${text}}]`);
    expect(evaluateWhen(step?.when ?? [], { event, contexts, outcome: "success" })).toEqual({ run: true });
  }
});
